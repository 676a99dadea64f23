//! What a user may choose about surfaces: plain values with their defaults.

use crate::error::SurfaceError;
use ooze_commons::choice;

use crate::tetrahedra::Subdivision;

/// Which function of the particles has the surface as its level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SurfaceMethod {
    /// Ellipsoids that follow the liquid's shape (Yu & Turk 2013): smooth pools, whole sheets and strands.
    #[default]
    Anisotropic,
    /// Distance to an average of the particles' positions (Zhu & Bridson 2005): smooth, but fills narrow gaps.
    Averaged,
    /// Root of a sum of squares (Kasi, sec. 6.4.2, after Clavet et al. 2005): quick and bumpy.
    Summed,
}

/// How a liquid of particles becomes a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceSettings {
    /// Which function of the particles has the surface as its level.
    pub method: SurfaceMethod,
    /// Distance of the function's samples, in particle spacings; from 0.1 to 1.
    ///
    /// The thinnest things there are, a droplet or strand of single particles, are 1.1 to 1.2 spacings thick. Cells of
    /// half a spacing put more than two across them, the least with which they hold together and have most of their
    /// volume; 0.25 is smoother on close view for four times the triangles.
    pub cell_size: f32,
    /// Share of the way to the mean of their neighbours by which anisotropic kernels are moved (λ of Yu & Turk 2013, eq. 6,
    /// who take 0.9); from 0 to 1. Surfaces become smoother, but sheets and strands of two particles collapse into one.
    pub centre_smoothing: f32,
    /// Whether the level is chosen such that the mesh encloses the volume of the particles.
    pub match_volume: bool,
    /// Air inside the liquid that takes less room than so many particles is a gap between them and is filled.
    pub smallest_bubble: f32,
    /// Steps of smoothing, which keep volume and thin parts; see [`crate::smooth`]. More than about 30 take away what
    /// the liquid does on the scale of a few particles. Flat liquids are not smoothed.
    pub smoothing_steps: u32,
}

impl Default for SurfaceSettings {
    fn default() -> Self {
        Self {
            method: SurfaceMethod::Anisotropic,
            cell_size: 0.5,
            centre_smoothing: 0.0,
            match_volume: true,
            smallest_bubble: 16.0,
            smoothing_steps: 20,
        }
    }
}

impl SurfaceSettings {
    /// Checks the ranges of all settings.
    pub fn validate(&self) -> Result<(), SurfaceError> {
        let checks = [
            (
                "cell_size",
                self.cell_size,
                (0.1..=1.0).contains(&self.cell_size),
                "from 0.1 to 1 particle spacings",
            ),
            (
                "centre_smoothing",
                self.centre_smoothing,
                (0.0..=1.0).contains(&self.centre_smoothing),
                "from 0 to 1",
            ),
            (
                "smallest_bubble",
                self.smallest_bubble,
                self.smallest_bubble >= 0.0 && self.smallest_bubble.is_finite(),
                "0 particle volumes or more",
            ),
        ];
        for (name, value, fine, allowed) in checks {
            if !fine {
                return Err(SurfaceError::OutOfRange {
                    name,
                    value,
                    allowed,
                });
            }
        }
        Ok(())
    }
}

choice! {
    /// How triangles are found between the samples of a level set (Carlson 2004, sec. 6.4).
    pub enum Extraction default Cubes {
        /// Marching cubes.
        Cubes "cubes";
        /// Six tetrahedra in a cell.
        TetrahedraSix "tetrahedra-6";
        /// Twenty-four.
        TetrahedraTwentyFour "tetrahedra-24";
        /// Forty-eight.
        TetrahedraFortyEight "tetrahedra-48";
        /// One hundred and ninety-two: fine triangles, for close views.
        TetrahedraOneNinetyTwo "tetrahedra-192";
    }
}

impl Extraction {
    /// The tetrahedra, if there are any.
    pub fn subdivision(self) -> Option<Subdivision> {
        match self {
            Self::Cubes => None,
            Self::TetrahedraSix => Some(Subdivision::Six),
            Self::TetrahedraTwentyFour => Some(Subdivision::TwentyFour),
            Self::TetrahedraFortyEight => Some(Subdivision::FortyEight),
            Self::TetrahedraOneNinetyTwo => Some(Subdivision::OneNinetyTwo),
        }
    }
}

/// How a level set becomes a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelSetSettings {
    /// How triangles are found.
    pub extraction: Extraction,
    /// Steps of smoothing, which keep volume and thin parts; see [`crate::smooth`]. Flat liquids are not smoothed.
    pub smoothing_steps: u32,
}
