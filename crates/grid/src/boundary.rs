//! Solids on the grid: distance at nodes, the open share of each face, and the velocity of walls at faces.

mod held;
mod padding;
mod released;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::{BodyId, Emitter, Force, Obstacles};
use ooze_field::fraction::{VolumeFractions, area_fractions, cell_fractions, quad_centroid};
use ooze_field::{Field, FieldByAxis, Place, Topology, face_fields, floor};
use rayon::prelude::*;

use self::padding::PaddedBall;
use crate::WallWeights;

/// Cells from a wall within which distances are exact; they are clamped beyond.
const BAND_CELLS: f32 = 4.0;
/// Cells by which solids are taken to be thicker, so that a face that lies on a wall is shut whatever the rounding.
const SKIN_CELLS: f32 = 1e-3;
/// Cells between solids below which there is a film.
const FILM_CELLS: f32 = 0.1;
/// Marks nodes that have no obstacle near.
const NO_BODY: u16 = u16::MAX;

/// The solids of one moment as the grid sees them.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// Signed distance to the nearest solid at nodes, negative inside, clamped to four cells.
    pub distance: Field<f32>,
    /// The nearest solid at nodes.
    body: Field<u16>,
    /// Share of each face through which liquid can flow.
    pub open: FieldByAxis<f32>,
    /// Velocity of the wall along the face's normal where the face is not wholly open.
    pub wall_velocity: FieldByAxis<f32>,
    /// By how much the mean velocity of the shut part of a face differs from that; none where nothing turns or is free to.
    leaning: Option<FieldByAxis<f32>>,
    /// The centres of the solids that are balls; none for those of other shapes.
    balls: Vec<Option<Vec3>>,
    /// Open share of each cell's volume.
    pub room: Field<f32>,
    /// The solids within the band of each tile.
    near: Vec<Vec<BodyId>>,
    /// Marks faces inside open emitters and solids that melt, whose velocity is prescribed; none where there are none.
    driven: Option<FieldByAxis<u8>>,
    /// The number of the solid that melts in each cell that is filled with one, zero in others; none where there are none.
    held: Option<Field<u8>>,
    /// Marks faces of walls that the liquid is about to leave, or has not reached; none where there are none.
    released: Option<FieldByAxis<u8>>,
}

/// A face that may be shut.
#[derive(Clone, Copy)]
pub(crate) struct OpenFace {
    /// The cell above it.
    pub(crate) cell: IVec3,
    /// Its centre.
    pub(crate) point: Vec3,
    /// Share of it through which liquid can flow.
    pub(crate) open: f32,
}

impl Boundary {
    /// Puts the obstacles on the grid. `kept` remembers what fixed obstacles look like from step to step.
    pub fn rasterize(
        topology: &Arc<Topology>,
        obstacles: &Obstacles<'_>,
        weights: WallWeights,
        kept: &mut FixedTiles,
    ) -> Self {
        let band = BAND_CELLS * topology.lattice().cell_size;
        let (fixed, moving): (Vec<BodyId>, Vec<BodyId>) = obstacles
            .bodies()
            .partition(|&body| obstacles.is_fixed(body));
        kept.extend(topology, obstacles, &fixed, band);
        let padded = kept.padded(topology, obstacles);
        let mut distance = Field::new(topology, Place::Node, band);
        let mut body = Field::new(topology, Place::Node, NO_BODY);
        let near: Vec<Vec<BodyId>> = distance
            .par_tiles_mut()
            .zip(body.par_tiles_mut())
            .map(|((slot, distances), (_, bodies))| {
                let mut tile = Cow::Borrowed(&kept.tiles[&topology.tile_lower(slot)]);
                if !moving.is_empty() {
                    let moving = (&moving[..], &padded);
                    tile.to_mut().add(topology, obstacles, moving, band, slot);
                }
                if !tile.near.is_empty() {
                    distances.copy_from_slice(&tile.distances);
                    bodies.copy_from_slice(&tile.bodies);
                }
                tile.near.clone()
            })
            .collect();
        let open = match weights {
            WallWeights::Area => area_fractions(&distance),
            WallWeights::Volume => VolumeFractions::of(&distance).faces.map(complement),
        };
        let mut boundary = Self {
            room: complement(cell_fractions(&distance)),
            distance,
            body,
            open,
            wall_velocity: face_fields(topology, 0.0),
            leaning: None,
            balls: obstacles.balls(),
            near,
            driven: None,
            held: None,
            released: None,
        };
        boundary.find_wall_velocities(obstacles);
        boundary
    }

    fn find_wall_velocities(&mut self, obstacles: &Obstacles<'_>) {
        if !obstacles.any_moves() {
            return;
        }
        let topology = Arc::clone(self.distance.topology());
        let mut wall_velocity = face_fields(&topology, 0.0);
        let mut leaning = face_fields(&topology, 0.0);
        for (axis, (velocities, leaning)) in wall_velocity.iter_mut().zip(&mut leaning).enumerate()
        {
            let open = &self.open[axis];
            let tiles = velocities.par_tiles_mut().zip(leaning.par_tiles_mut());
            tiles.for_each(|((slot, velocities), (_, leaning))| {
                if !self.near(slot) {
                    return;
                }
                for local in 0..velocities.len() {
                    let open = open.tile(slot)[local];
                    if open == 1.0 {
                        continue;
                    }
                    let cell = topology.cell(slot, local);
                    let point = self.open[axis].position(cell);
                    let Some(body) = self.body_at(point) else {
                        continue;
                    };
                    let velocity = |point: Vec3| obstacles.velocity(body, point)[axis];
                    velocities[local] = velocity(point);
                    leaning[local] = velocity(self.shut_point(axis, cell)) - velocities[local];
                }
            });
        }
        (self.wall_velocity, self.leaning) = (wall_velocity, Some(leaning));
    }

    /// The point whose velocity is the mean over the part of a face that solids shut: of any rigid motion, that part's centroid.
    ///
    /// Of a ball it is the centre, for every face. As a ball spins nothing of it moves against the liquid, and all that presses on it
    /// passes through its centre. On the grid it is not as round as that: where it all but touches a wall, the fillet between them would
    /// turn with it, and what little is open there would have to let through all that it drives.
    pub(crate) fn shut_point(&self, axis: usize, face: IVec3) -> Vec3 {
        let mut point = self.open[axis].position(face);
        let body = self.body_at(point).map(|body| usize::from(body.0));
        if let Some(&Some(centre)) = body.and_then(|body| self.balls.get(body)) {
            return centre;
        }
        let open = self.open[axis].get(face);
        if open > 0.0 && open < 1.0 {
            let lattice = self.distance.topology().lattice();
            let [first, second] = [(axis + 1) % 3, (axis + 2) % 3];
            let across = [first, second].map(|other| IVec3::AXES[other]);
            let corners = [IVec3::ZERO, across[0], across[1], across[0] + across[1]];
            let centroid = quad_centroid(corners.map(|corner| self.distance.get(face + corner)));
            for (other, offset) in [first, second].into_iter().zip(centroid) {
                if other < lattice.axes() {
                    point[other] += offset * lattice.cell_size;
                }
            }
        }
        point
    }

    /// Mean velocity of what is shut of a face, along its normal.
    #[inline]
    pub(crate) fn shut_velocity(&self, axis: usize, face: IVec3) -> f32 {
        let wall = self.wall_velocity[axis].get(face);
        let open = self.open[axis].get(face);
        match &self.leaning {
            Some(leaning) if open < 1.0 => wall + leaning[axis].get(face),
            _ => wall,
        }
    }

    /// Gives what is shut of a face another velocity: at the face's centre, and the mean.
    pub(crate) fn move_wall(&mut self, axis: usize, index: usize, [centre, mean]: [f32; 2]) {
        self.wall_velocity[axis].values_mut()[index] = centre;
        let topology = self.distance.topology();
        let leaning = self
            .leaning
            .get_or_insert_with(|| face_fields(topology, 0.0));
        leaning[axis].values_mut()[index] = mean - centre;
    }

    /// Shuts the faces inside emitters: what flows through them is prescribed, as by a wall that moves with the emitted
    /// liquid, so that a stream leaves its nozzle with the speed that the scene says, whatever pulls at it below.
    pub fn drive<'a>(&mut self, emitters: impl Iterator<Item = &'a Emitter>) {
        let lattice = *self.distance.topology().lattice();
        for emitter in emitters {
            let mut bounds = emitter.shape.bounds();
            if lattice.flat {
                (bounds.lower.z, bounds.upper.z) = (f32::NEG_INFINITY, f32::INFINITY);
            }
            self.prescribe(|axis, face| {
                let inside =
                    bounds.contains(face.point) && emitter.shape.distance(face.point) < 0.0;
                inside.then_some(emitter.velocity[axis])
            });
        }
    }

    /// Shuts the faces across each axis that `velocity` is told for, and lets flow through them just that.
    pub(crate) fn prescribe(&mut self, velocity: impl Fn(usize, OpenFace) -> Option<f32> + Sync) {
        let topology = self.distance.topology();
        let lattice = *topology.lattice();
        let driven = self
            .driven
            .get_or_insert_with(|| face_fields(topology, 0u8));
        let fields = self.open.iter_mut().zip(&mut self.wall_velocity);
        for (axis, ((open, walls), driven)) in fields.zip(driven).enumerate() {
            let offset = Place::Face(axis).offset();
            open.par_tiles_mut()
                .zip(walls.par_tiles_mut())
                .zip(driven.par_tiles_mut())
                .for_each(|(((slot, open), (_, walls)), (_, driven))| {
                    for local in 0..open.len() {
                        let cell = topology.cell(slot, local);
                        let mut point = lattice.to_world(cell.as_vec3() + offset);
                        if lattice.flat {
                            point.z = lattice.to_world(Vec3::splat(0.5)).z;
                        }
                        let face = OpenFace {
                            cell,
                            point,
                            open: open[local],
                        };
                        if let Some(velocity) = velocity(axis, face) {
                            (open[local], walls[local]) = (0.0, velocity);
                            driven[local] = 1;
                        }
                    }
                });
        }
    }

    /// Whether the velocity of a face is prescribed by an emitter, or by a solid that melts.
    #[inline]
    pub fn is_driven(&self, axis: usize, slot: usize, local: usize) -> bool {
        let driven = self.driven.as_ref();
        driven.is_some_and(|driven| driven[axis].tile(slot)[local] != 0)
    }

    /// Share of a face that solids leave open, whatever emitters and solids that melt do there.
    #[inline]
    pub(crate) fn passage(&self, axis: usize, face: IVec3) -> f32 {
        let driven = self.driven.as_ref();
        match driven.is_some_and(|driven| driven[axis].get(face) != 0) {
            true => 1.0,
            false => self.open[axis].get(face),
        }
    }

    /// Gives the faces inside emitters and solids that melt their velocity, which is then known.
    pub fn impose(&self, velocity: &mut FieldByAxis<f32>, known: &mut FieldByAxis<u8>) {
        let Some(driven) = &self.driven else {
            return;
        };
        for (axis, (velocity, known)) in velocity.iter_mut().zip(known).enumerate() {
            velocity
                .par_tiles_mut()
                .zip(known.par_tiles_mut())
                .for_each(|((slot, velocity), (_, known))| {
                    let wall = self.wall_velocity[axis].tile(slot);
                    for (local, &driven) in driven[axis].tile(slot).iter().enumerate() {
                        if driven != 0 {
                            (velocity[local], known[local]) = (wall[local], 1);
                        }
                    }
                });
        }
    }

    /// The solid nearest to a point, as far as the grid knows it.
    #[inline]
    pub fn body_at(&self, point: Vec3) -> Option<BodyId> {
        let lattice = self.distance.topology().lattice();
        let node = floor(lattice.to_cells(point) + 0.5);
        let body = self.body.get(node);
        (body != NO_BODY).then_some(BodyId(body))
    }

    /// Whether a tile has a solid within the band; elsewhere there is no need to look.
    #[inline]
    pub fn near(&self, slot: usize) -> bool {
        !self.near[slot].is_empty()
    }

    /// Distance to the nearest solid as the solids themselves tell it, for a point in the tile with number `slot`, and
    /// that solid; none if there is no solid within the band.
    pub fn exact_distance(
        &self,
        obstacles: &Obstacles<'_>,
        slot: u32,
        point: Vec3,
    ) -> Option<(f32, BodyId)> {
        // A point that has left the tiles in one long step may be anywhere.
        let Some(bodies) = self.near.get(slot as usize) else {
            return obstacles.nearest(point);
        };
        let distances = bodies
            .iter()
            .map(|&body| (obstacles.distance(body, point), body));
        distances.reduce(|best, other| if other.0 < best.0 { other } else { best })
    }

    /// The solids within the band of a tile.
    #[inline]
    pub fn bodies(&self, slot: usize) -> &[BodyId] {
        &self.near[slot]
    }

    /// Direction away from the nearest solid; zero where there is none near.
    #[inline]
    pub fn outward(&self, point: Vec3) -> Vec3 {
        self.distance.sample_gradient(point).normalize_or_zero()
    }
}

/// What the fixed obstacles look like in the tiles met so far, and which way bodies are lifted. It is a function of the scene alone: keeping it saves time
/// and changes nothing.
#[derive(Clone, Debug, Default)]
pub struct FixedTiles {
    tiles: HashMap<IVec3, SolidTile>,
    /// How much each axis counts in what bodies displace.
    weights: Vec3,
}

/// Balls that are free, as they are put on the grid.
type PaddedBalls = HashMap<u16, PaddedBall>;

impl FixedTiles {
    /// None yet, in a domain where forces act.
    pub fn new(forces: &[Force]) -> Self {
        let constant = forces.iter().filter_map(|force| match force {
            Force::Constant { acceleration } => Some(*acceleration),
            Force::Swirl { .. } => None,
        });
        let pull: Vec3 = constant.sum();
        Self {
            tiles: HashMap::new(),
            weights: pull * pull,
        }
    }

    /// The balls that are free, padded; not in flat scenes, where their upper and lower ends shut layers of faces, as flat faces do.
    fn padded(&self, topology: &Topology, obstacles: &Obstacles<'_>) -> PaddedBalls {
        let lattice = topology.lattice();
        let mut padded = PaddedBalls::new();
        if lattice.flat {
            return padded;
        }
        let any = self.weights != Vec3::ZERO;
        let weights = if any { self.weights } else { Vec3::ONE };
        let weights = weights / weights.element_sum();
        let balls = obstacles.balls();
        for body in obstacles.bodies() {
            let is_ball = balls.get(usize::from(body.0)).is_some_and(Option::is_some);
            let Some(free) = obstacles.free(body).filter(|_| is_ball) else {
                continue;
            };
            let bounds = obstacles.bounds(body);
            let distance = |point: Vec3| obstacles.distance(body, point);
            let mut ball = PaddedBall::measure(lattice, bounds, free.volume, weights, distance);
            // What lies on the floor is not pressed into it, nor is the film below it made any thinner: padding
            // fades as it comes near.
            let centre = bounds.centre();
            let others = obstacles.bodies().filter(|&other| other != body);
            let gaps = others.map(|other| obstacles.distance(other, centre) + distance(centre));
            let gap = gaps.fold(f32::INFINITY, f32::min);
            let clear = (gap / lattice.cell_size - FILM_CELLS) / (1.0 - FILM_CELLS);
            ball.padding *= clear.clamp(0.0, 1.0);
            padded.insert(body.0, ball);
        }
        padded
    }

    /// Adds the tiles of a topology that are not known yet.
    fn extend(
        &mut self,
        topology: &Topology,
        obstacles: &Obstacles<'_>,
        fixed: &[BodyId],
        band: f32,
    ) {
        let missing: Vec<usize> = (0..topology.tile_count())
            .filter(|&slot| !self.tiles.contains_key(&topology.tile_lower(slot)))
            .collect();
        let tiles: Vec<(IVec3, SolidTile)> = missing
            .into_par_iter()
            .map(|slot| {
                let mut tile = SolidTile::default();
                tile.add(
                    topology,
                    obstacles,
                    (fixed, &PaddedBalls::new()),
                    band,
                    slot,
                );
                (topology.tile_lower(slot), tile)
            })
            .collect();
        self.tiles.extend(tiles);
    }
}

/// Distance to the nearest solid and that solid at the nodes of a tile; nothing is stored where no solid is near.
#[derive(Clone, Debug, Default)]
struct SolidTile {
    distances: Vec<f32>,
    bodies: Vec<u16>,
    near: Vec<BodyId>,
}

impl SolidTile {
    /// Adds the obstacles among `candidates` that are within the band of the tile in `slot`.
    fn add(
        &mut self,
        topology: &Topology,
        obstacles: &Obstacles<'_>,
        (candidates, padded): (&[BodyId], &PaddedBalls),
        band: f32,
        slot: usize,
    ) {
        let lattice = topology.lattice();
        // Nodes of the tile lie within this sphere; distances are 1-Lipschitz, so a body further off can be skipped.
        let half = Vec3::new(3.5, 3.5, if lattice.flat { 0.0 } else { 3.5 });
        let centre = lattice.to_world(topology.tile_lower(slot).as_vec3() + half);
        let radius = half.length() * lattice.cell_size;
        let skin = SKIN_CELLS * lattice.cell_size;
        for &body in candidates {
            if obstacles.distance(body, centre) > radius + band {
                continue;
            }
            self.near.push(body);
            let padded = padded.get(&body.0);
            let thicker = padded.map_or(skin, |padded| match padded.padding.abs() > skin {
                true => padded.padding,
                false => skin,
            });
            let known = padded.and_then(|padded| padded.distances(topology.tile_lower(slot)));
            self.distances.resize(topology.tile_cells(), band);
            self.bodies.resize(topology.tile_cells(), NO_BODY);
            let nodes = self.distances.iter_mut().zip(&mut self.bodies);
            for (local, (nearest, owner)) in nodes.enumerate() {
                let distance = match &known {
                    Some(known) => known(topology.local_cell(local)),
                    None => {
                        let point = lattice.to_world(topology.cell(slot, local).as_vec3());
                        obstacles.distance(body, point)
                    }
                };
                let distance = distance - thicker;
                if distance < *nearest {
                    *nearest = distance.max(-band);
                    *owner = body.0;
                }
            }
        }
    }
}

/// What a share leaves open; everything where nothing is stored.
fn complement(share: Field<f32>) -> Field<f32> {
    let mut open = Field::new(share.topology(), share.place(), 1.0);
    open.par_tiles_mut().for_each(|(slot, tile)| {
        for (open, &share) in tile.iter_mut().zip(share.tile(slot)) {
            *open = 1.0 - share;
        }
    });
    open
}

#[cfg(test)]
mod tests {
    use ooze_core::{Contact, Domain, KeyframedSolids, Side};
    use ooze_field::TopologyBuilder;

    use super::*;

    #[test]
    fn a_closed_box_shuts_its_sides_and_nothing_else() {
        for weights in [WallWeights::Area, WallWeights::Volume] {
            let domain = Domain {
                lower: Vec3::new(0.1, 0.2, 0.3),
                cell_size: 0.1,
                cells: IVec3::new(12, 10, 9),
                flat: false,
                sides: [[Side::Closed(Contact::default()); 2]; 3],
            };
            let solids = KeyframedSolids::new(Vec::new());
            let obstacles = Obstacles::new(&domain, &solids);
            // Tiles beyond the walls are there too, as they are around liquid that touches a wall.
            let builder = TopologyBuilder::new(domain.lattice());
            builder.mark(IVec3::splat(4), 16);
            let topology = Arc::new(builder.build());
            let boundary =
                Boundary::rasterize(&topology, &obstacles, weights, &mut FixedTiles::default());
            for axis in 0..3 {
                for along in 0..=domain.cells[axis] {
                    let mut face = IVec3::splat(4);
                    face[axis] = along;
                    let inside = along > 0 && along < domain.cells[axis];
                    let open = boundary.open[axis].get(face);
                    let at_wall = along == 0 || along == domain.cells[axis];
                    // A face on the wall has half its volume outside.
                    let expected = match (inside, at_wall && weights == WallWeights::Volume) {
                        (true, _) => 1.0,
                        (false, true) => 0.5,
                        (false, false) => 0.0,
                    };
                    assert!((open - expected).abs() < 1e-3, "{weights:?} {face} {open}");
                }
            }
        }
    }
}
