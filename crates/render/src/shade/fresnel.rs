//! Reflection and refraction at a smooth boundary.

use glam::Vec3;

/// Mirrors `direction` at a plane with unit `normal`.
#[inline]
pub(crate) fn reflect(direction: Vec3, normal: Vec3) -> Vec3 {
    direction - 2.0 * direction.dot(normal) * normal
}

/// Bends `direction`, which runs against unit `normal`, by Snell's law. `ratio` is the index before over the index
/// behind. Nothing on total internal reflection.
#[inline]
pub(crate) fn refract(direction: Vec3, normal: Vec3, ratio: f32) -> Option<Vec3> {
    let cosine = -direction.dot(normal);
    let sine_squared = ratio * ratio * (1.0 - cosine * cosine).max(0.0);
    if sine_squared >= 1.0 {
        return None;
    }
    Some((ratio * direction + (ratio * cosine - (1.0 - sine_squared).sqrt()) * normal).normalize())
}

/// Share of unpolarised light that a boundary between two dielectrics reflects: Fresnel's equations. `cosine` is the
/// incident angle's; `ratio` is the index before over the index behind.
#[inline]
pub(crate) fn dielectric_reflectance(cosine: f32, ratio: f32) -> f32 {
    let cosine = cosine.clamp(0.0, 1.0);
    let sine_squared = ratio * ratio * (1.0 - cosine * cosine);
    if sine_squared >= 1.0 {
        return 1.0;
    }
    let behind = (1.0 - sine_squared).sqrt();
    let perpendicular = (ratio * cosine - behind) / (ratio * cosine + behind);
    let parallel = (cosine - ratio * behind) / (cosine + ratio * behind);
    0.5 * (perpendicular * perpendicular + parallel * parallel)
}

/// Reflectance of a metal by Schlick's approximation, from its reflectance at normal incidence.
#[inline]
pub(crate) fn schlick(normal_incidence: Vec3, cosine: f32) -> Vec3 {
    let grazing = (1.0 - cosine.clamp(0.0, 1.0)).powi(5);
    normal_incidence + (Vec3::ONE - normal_incidence) * grazing
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn incoming(angle_degrees: f32) -> Vec3 {
        let angle = angle_degrees.to_radians();
        Vec3::new(angle.sin(), -angle.cos(), 0.0)
    }

    proptest! {
        #[test]
        fn snell_holds(angle in 0.0_f32..89.0, index in 1.01_f32..2.5) {
            let refracted = refract(incoming(angle), Vec3::Y, 1.0 / index).expect("entering never reflects totally");
            let sine_behind = refracted.x;
            prop_assert!((sine_behind * index - angle.to_radians().sin()).abs() < 1e-5);
            prop_assert!(refracted.y < 0.0 && (refracted.length() - 1.0).abs() < 1e-5);
            // The way back is the same way.
            let back = refract(-refracted, -Vec3::Y, index);
            prop_assert!(back.is_some_and(|back| (back + incoming(angle)).length() < 2e-2));
        }

        #[test]
        fn fresnel_is_the_same_from_both_sides(angle in 0.0_f32..85.0, index in 1.05_f32..2.5) {
            let behind = refract(incoming(angle), Vec3::Y, 1.0 / index).expect("entering");
            let outside = dielectric_reflectance(angle.to_radians().cos(), 1.0 / index);
            let inside = dielectric_reflectance(-behind.y, index);
            prop_assert!((outside - inside).abs() < 1e-4, "{outside} {inside}");
        }
    }

    #[test]
    fn total_reflection_starts_at_the_critical_angle() {
        let index = 1.5_f32;
        let critical = (1.0 / index).asin().to_degrees();
        assert!((critical - 41.81).abs() < 0.01);
        assert!(refract(incoming(critical - 0.1), Vec3::Y, index).is_some());
        assert!(refract(incoming(critical + 0.1), Vec3::Y, index).is_none());
        assert!(dielectric_reflectance((critical - 0.1).to_radians().cos(), index) < 1.0);
        assert_eq!(
            dielectric_reflectance((critical + 0.1).to_radians().cos(), index),
            1.0
        );
    }

    #[test]
    fn reflectance_meets_its_closed_forms() {
        for index in [1.333_f32, 1.5, 2.4] {
            let normal = ((index - 1.0) / (index + 1.0)).powi(2);
            assert!((dielectric_reflectance(1.0, 1.0 / index) - normal).abs() < 1e-6);
            assert!((dielectric_reflectance(0.0, 1.0 / index) - 1.0).abs() < 1e-5);
            // At Brewster's angle only the perpendicular half reflects: ((n²-1)/(n²+1))² / 2.
            let brewster = index.atan();
            let square = index * index;
            let expected = 0.5 * ((square - 1.0) / (square + 1.0)).powi(2);
            assert!((dielectric_reflectance(brewster.cos(), 1.0 / index) - expected).abs() < 1e-5);
        }
    }
}
