//! Where a falling rope of liquid meets its pile: angle and radius of the contact point about the nozzle's axis, from
//! which the coiling frequency follows as the slope of the unwrapped angle.

use glam::Vec3;

/// Layers of rope that are looked at before it may meet the pile.
const ROPE_LAYERS: usize = 3;
/// How much more liquid than the rope's a layer holds where the pile begins.
const PILE: f32 = 2.5;

/// Where a rope meets its pile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopeContact {
    /// Angle of the rope just above the pile, in degrees about the nozzle's axis, from +x towards +z.
    pub angle: f64,
    /// Its distance from the axis in metres.
    pub distance: f64,
    /// Height at which the pile begins, in metres.
    pub height: f64,
    /// Radius of the rope just above it, in metres.
    pub rope_radius: f64,
}

/// The particles of one layer.
#[derive(Clone, Copy, Default)]
struct Layer {
    count: f32,
    sum: Vec3,
    squares: f32,
}

/// Looks for the place where liquid that leaves `nozzle` downwards meets its pile, in layers of the given height.
pub fn contact(positions: &[Vec3], nozzle: Vec3, layer_height: f32) -> Option<RopeContact> {
    let layers = layers(positions, nozzle, layer_height);
    let mut rope = 0.0;
    let mut meets = None;
    for (index, layer) in layers.iter().enumerate() {
        // A gap means that nothing connects nozzle and pile yet.
        if layer.count == 0.0 {
            return None;
        }
        let mean = rope / index as f32;
        if index >= ROPE_LAYERS && layer.count > PILE * mean {
            meets = Some(index);
            break;
        }
        rope += layer.count;
    }
    let meets = meets?;
    // Above the pile the loop that is just being laid down reaches up a little.
    let above = layers[meets - ROPE_LAYERS..meets]
        .iter()
        .fold(Layer::default(), |all, layer| Layer {
            count: all.count + layer.count,
            sum: all.sum + layer.sum,
            squares: all.squares + layer.squares,
        });
    let centre = above.sum / above.count;
    // A disc's mean square distance from its centre is half its radius squared.
    let spread = above.squares / above.count - (centre.x.powi(2) + centre.z.powi(2));
    Some(RopeContact {
        angle: f64::from(centre.z.atan2(centre.x).to_degrees()),
        distance: f64::from(centre.x.hypot(centre.z)),
        height: f64::from(nozzle.y - meets as f32 * layer_height),
        rope_radius: f64::from((2.0 * spread.max(0.0)).sqrt()),
    })
}

/// The layers below the nozzle, from the top, with positions relative to its axis.
fn layers(positions: &[Vec3], nozzle: Vec3, layer_height: f32) -> Vec<Layer> {
    let mut layers: Vec<Layer> = Vec::new();
    for position in positions {
        let below = (nozzle.y - position.y) / layer_height;
        if below < 0.0 {
            continue;
        }
        let index = below as usize;
        if layers.len() <= index {
            layers.resize(index + 1, Layer::default());
        }
        let offset = *position - nozzle;
        let layer = &mut layers[index];
        layer.count += 1.0;
        layer.sum += offset;
        layer.squares += offset.x.powi(2) + offset.z.powi(2);
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A straight rope down to a pile: a disc of particles a layer, and wide layers below.
    fn rope_on_pile(foot: Vec3) -> Vec<Vec3> {
        let nozzle = Vec3::new(0.5, 1.0, 0.5);
        let mut particles = Vec::new();
        for layer in 0..100 {
            let height = 0.995 - 0.01 * layer as f32;
            let centre = nozzle.lerp(foot, layer as f32 / 80.0);
            let radius: i32 = if layer < 80 { 5 } else { 20 };
            for x in -radius..=radius {
                for z in -radius..=radius {
                    if x * x + z * z <= radius * radius {
                        let offset = Vec3::new(x as f32, 0.0, z as f32) * 0.004;
                        particles.push(Vec3::new(centre.x, height, centre.z) + offset);
                    }
                }
            }
        }
        particles
    }

    #[test]
    fn the_foot_of_a_leaning_rope_is_found() {
        let nozzle = Vec3::new(0.5, 1.0, 0.5);
        let particles = rope_on_pile(Vec3::new(0.5, 0.2, 0.6));
        let found = contact(&particles, nozzle, 0.01).unwrap();
        assert!((found.angle - 90.0).abs() < 1.0, "{found:?}");
        assert!((found.distance - 0.1).abs() < 0.005, "{found:?}");
        assert!((found.height - 0.2).abs() < 0.011, "{found:?}");
        assert!((found.rope_radius - 0.02).abs() < 0.003, "{found:?}");
    }

    #[test]
    fn a_rope_in_the_air_has_no_contact() {
        let nozzle = Vec3::new(0.5, 1.0, 0.5);
        let mut particles = rope_on_pile(nozzle);
        particles.retain(|particle| particle.y > 0.7 || particle.y < 0.3);
        assert_eq!(contact(&particles, nozzle, 0.01), None);
        assert_eq!(contact(&[], nozzle, 0.01), None);
    }
}
