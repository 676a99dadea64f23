//! The scenes whose cost is measured.

use ooze_scene::{Scene, SceneErrors};

/// A scene whose cost is measured.
pub struct Workload {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    content: Content,
}

/// What a workload simulates.
enum Content {
    /// A block of water collapses in a box.
    Block(Block),
    /// A ball of thick liquid falls in a hollow ball.
    ViscousBall {
        cells: u32,
        /// In Pa s at a density of 1 kg/m³.
        viscosity: f64,
        preconditioner: &'static str,
    },
    /// A cube of goo falls on the floor, for one second (Goktekin 2011, ch. 4).
    FallingCube { preset: &'static str },
}

struct Block {
    /// Side of the box in metres.
    side: f64,
    /// Cells a metre.
    cells_per_metre: f64,
    /// Upper corner of the block.
    upper: [f64; 3],
    frames: u32,
}

/// All workloads.
pub const WORKLOADS: [Workload; 13] = [
    block(
        "block",
        "a block of 110 000 particles collapses in a box of 64³ cells",
        Block {
            side: 1.0,
            cells_per_metre: 64.0,
            upper: [0.375; 3],
            frames: 8,
        },
    ),
    block(
        "block-in-large-box",
        "the same block in a box of 8 times the volume",
        Block {
            side: 2.0,
            cells_per_metre: 64.0,
            upper: [0.375; 3],
            frames: 8,
        },
    ),
    block(
        "two-blocks",
        "twice the liquid in the same box",
        Block {
            side: 1.0,
            cells_per_metre: 64.0,
            upper: [0.375, 0.375, 0.75],
            frames: 8,
        },
    ),
    block(
        "million",
        "a block of 1 000 000 particles collapses in a box of 128³ cells",
        Block {
            side: 1.0,
            cells_per_metre: 128.0,
            upper: [0.390_625; 3],
            frames: 8,
        },
    ),
    block(
        "million-quiet",
        "a pool of 1 000 000 particles at rest in a box of 64³ cells",
        Block {
            side: 1.0,
            cells_per_metre: 64.0,
            upper: [1.0, 0.4768, 1.0],
            frames: 8,
        },
    ),
    viscous_ball("viscous-ball-5", 5.0, "automatic"),
    viscous_ball("viscous-ball-50", 50.0, "automatic"),
    viscous_ball("viscous-ball-500", 500.0, "automatic"),
    viscous_ball("viscous-ball-5000", 5000.0, "automatic"),
    viscous_ball("viscous-ball-cholesky", 5000.0, "incomplete-cholesky"),
    viscous_ball("viscous-ball-jacobi", 5000.0, "jacobi"),
    falling_cube("falling-cube", "flip"),
    falling_cube("falling-cube-level-set", "level-set"),
];

const fn falling_cube(name: &'static str, preset: &'static str) -> Workload {
    Workload {
        name,
        summary: "a cube of goo falls on the floor for a second, on 40³ cells",
        content: Content::FallingCube { preset },
    }
}

const fn block(name: &'static str, summary: &'static str, block: Block) -> Workload {
    Workload {
        name,
        summary,
        content: Content::Block(block),
    }
}

const fn viscous_ball(
    name: &'static str,
    viscosity: f64,
    preconditioner: &'static str,
) -> Workload {
    Workload {
        name,
        summary: "a viscous ball of 137 000 particles falls in a hollow ball on 64³ cells",
        content: Content::ViscousBall {
            cells: 64,
            viscosity,
            preconditioner,
        },
    }
}

impl Workload {
    /// The workload of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        WORKLOADS.iter().find(|workload| workload.name == name)
    }

    pub(super) fn scene(&self) -> Result<Scene, SceneErrors> {
        let name = self.name;
        let text = match &self.content {
            Content::Block(block) => block.text(name),
            Content::ViscousBall {
                cells,
                viscosity,
                preconditioner,
            } => format!(
                "name = \"{name}\"\n\
                 [domain]\nsize = [1, 1, 1]\ncells = {cells}\ncontact = \"slip\"\n\
                 [time]\nframe_rate = 100\nframes = 30\ncfl = 5\n\
                 [method]\nflip_fraction = 0.95\n\
                 viscosity = {{ preconditioner = \"{preconditioner}\", max_iterations = 5000 }}\n\
                 [materials.goo]\nbase = \"water\"\ndensity = 1\nviscosity = {viscosity}\n\
                 [[liquid]]\nmaterial = \"goo\"\n\
                 shape.sphere = {{ centre = [0.5, 0.5, 0.5], radius = 0.25 }}\n\
                 [[collider]]\ncontact = \"no-slip\"\n\
                 [collider.shape.difference]\n\
                 from.box = {{ lower = [-1, -1, -1], upper = [2, 2, 2] }}\n\
                 subtract = [{{ sphere = {{ centre = [0.5, 0.5, 0.5], radius = 0.45 }} }}]\n"
            ),
            Content::FallingCube { preset } => format!(
                "name = \"{name}\"\nmethod = \"{preset}\"\n\
                 [domain]\nsize = [0.32, 0.32, 0.32]\ncells = 40\ncontact = \"slip\"\n\
                 [time]\nframe_rate = 30\nframes = 30\n\
                 [materials.goo]\nbase = \"gelatin\"\ndensity = 1000\nviscosity = 0.5\n\
                 elasticity = {{ modulus = 4000, yield_strain = 0.2, decay_rate = 10 }}\n\
                 [[liquid]]\nmaterial = \"goo\"\n\
                 shape.box = {{ centre = [0.16, 0.18, 0.16], size = [0.128, 0.128, 0.128] }}\n"
            ),
        };
        Scene::parse(&text, name, "")
    }
}

impl Block {
    fn text(&self, name: &str) -> String {
        let Self {
            side,
            cells_per_metre,
            upper: [x, y, z],
            frames,
        } = self;
        let cells = (side * cells_per_metre).round();
        format!(
            "name = \"{name}\"\n\
             [domain]\nsize = [{side}, {side}, {side}]\ncells = {cells}\n\
             [time]\nframe_rate = 60\nframes = {frames}\n\
             [method]\npressure = {{ tolerance = 1e-5 }}\n\
             [[liquid]]\nmaterial = \"water\"\n\
             shape.box = {{ lower = [0, 0, 0], upper = [{x}, {y}, {z}] }}\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_is_a_sound_scene() {
        for workload in &WORKLOADS {
            let scene = workload.scene();
            assert!(scene.is_ok(), "{}: {:?}", workload.name, scene.err());
        }
    }
}
