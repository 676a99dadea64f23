//! The scenes that come with ooze.

use crate::{Scene, SceneErrors};

/// A scene that comes with ooze.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows, in one line.
    pub summary: &'static str,
    /// The text of the scene file.
    pub text: &'static str,
}

const ALL: &[Builtin] = &[
    Builtin {
        name: "honey",
        summary: "a stream of honey coils and piles up on a plate",
        text: include_str!("../scenes/honey.toml"),
    },
    Builtin {
        name: "honey-dipper",
        summary: "a dipper is lifted out of a bowl of honey, and a string falls",
        text: include_str!("../scenes/honey-dipper.toml"),
    },
    Builtin {
        name: "cake-batter",
        summary: "a ribbon of cake batter folds into a tin",
        text: include_str!("../scenes/cake-batter.toml"),
    },
    Builtin {
        name: "paint-pour",
        summary: "three colours of paint run down a ball",
        text: include_str!("../scenes/paint-pour.toml"),
    },
    Builtin {
        name: "piston-die",
        summary: "a piston presses dough through a die, and it coils on a plate",
        text: include_str!("../scenes/piston-die.toml"),
    },
    Builtin {
        name: "spoon-in-honey",
        summary: "a motor stirs a jar of honey with a spoon and lets go of it",
        text: include_str!("../scenes/spoon-in-honey.toml"),
    },
    Builtin {
        name: "lead-and-wood",
        summary: "a ball of lead and one of wood are thrown into a pool, and collide",
        text: include_str!("../scenes/lead-and-wood.toml"),
    },
    Builtin {
        name: "tumbling-stones",
        summary: "two stones sink one above the other, draw together and tumble",
        text: include_str!("../scenes/tumbling-stones.toml"),
    },
    Builtin {
        name: "tumbling-gems",
        summary: "two gems sink in a shaft, swing from side to side and tumble",
        text: include_str!("../scenes/tumbling-gems.toml"),
    },
    Builtin {
        name: "ducks",
        summary: "a tub fills, and rubber ducks swim up and are driven about by the stream",
        text: include_str!("../scenes/ducks.toml"),
    },
    Builtin {
        name: "sinking-in-goo",
        summary: "a cork, a marble, a steel ball and a die are dropped into slime that yields",
        text: include_str!("../scenes/sinking-in-goo.toml"),
    },
    Builtin {
        name: "block-splash",
        summary: "a silver block catapults wooden ones into an oncoming wall of water",
        text: include_str!("../scenes/block-splash.toml"),
    },
    Builtin {
        name: "gears-and-rabbits",
        summary: "gears of metal plunge into a tank, and wooden rabbits rise in it",
        text: include_str!("../scenes/gears-and-rabbits.toml"),
    },
    Builtin {
        name: "squeeze",
        summary: "plates close on a ball of caramel, press it flat and draw it out again",
        text: include_str!("../scenes/squeeze.toml"),
    },
    Builtin {
        name: "hele-shaw",
        summary: "a drop of syrup is pushed between two glass plates, around a post",
        text: include_str!("../scenes/hele-shaw.toml"),
    },
    Builtin {
        name: "buckling-sheet",
        summary: "a tall sheet falls on its edge and folds",
        text: include_str!("../scenes/buckling-sheet.toml"),
    },
    Builtin {
        name: "viscosity-gradient",
        summary: "a block, runny at one end and stiff at the other, hits the floor",
        text: include_str!("../scenes/viscosity-gradient.toml"),
    },
    Builtin {
        name: "viscous-beam",
        summary: "a beam of thick liquid bends off a wall",
        text: include_str!("../scenes/viscous-beam.toml"),
    },
    Builtin {
        name: "spinning-disc",
        summary: "a disc of thick liquid spins in weightlessness",
        text: include_str!("../scenes/spinning-disc.toml"),
    },
    Builtin {
        name: "wax-block",
        summary: "a block of wax melts at a corner, runs down its own side and sets on a cold plate",
        text: include_str!("../scenes/wax-block.toml"),
    },
    Builtin {
        name: "candle",
        summary: "the top of a candle melts, overflows and runs down its side, where it sets",
        text: include_str!("../scenes/candle.toml"),
    },
    Builtin {
        name: "solder",
        summary: "rings of solder melt around a pin, wet it and its pad and set as a fillet",
        text: include_str!("../scenes/solder.toml"),
    },
    Builtin {
        name: "hot-ball-in-wax",
        summary: "a hot ball of steel sinks through layers of wax and leaves a channel that sets",
        text: include_str!("../scenes/hot-ball-in-wax.toml"),
    },
    Builtin {
        name: "ice-cubes",
        summary: "cubes of ice float in a glass of warm juice, melt, turn over and are gone",
        text: include_str!("../scenes/ice-cubes.toml"),
    },
    Builtin {
        name: "spoon-in-jelly",
        summary: "gelatin sets around a spoon, which then stands by itself",
        text: include_str!("../scenes/spoon-in-jelly.toml"),
    },
    Builtin {
        name: "lava-flow",
        summary: "lava runs down a slope, crusts over, stops and breaks out again",
        text: include_str!("../scenes/lava-flow.toml"),
    },
    Builtin {
        name: "wax-rabbit",
        summary: "the ears of a rabbit of wax melt and run down its body, which stands",
        text: include_str!("../scenes/wax-rabbit.toml"),
    },
    Builtin {
        name: "ice-cream",
        summary: "a scoop of ice cream melts in the sun, runs down its cone and drips",
        text: include_str!("../scenes/ice-cream.toml"),
    },
    Builtin {
        name: "glass-blob",
        summary: "a gob of hot glass is drawn to a thread, which sets as it cools",
        text: include_str!("../scenes/glass-blob.toml"),
    },
    Builtin {
        name: "four-viscosities",
        summary: "liquids of 0.1, 1, 10 and 100 Pa s are thrown into lobed dishes",
        text: include_str!("../scenes/four-viscosities.toml"),
    },
    Builtin {
        name: "chocolate-fountain",
        summary: "chocolate falls in curtains from tier to tier of a fountain",
        text: include_str!("../scenes/chocolate-fountain.toml"),
    },
    Builtin {
        name: "toothpaste",
        summary: "a squirt of toothpaste hits a wall, bends and folds",
        text: include_str!("../scenes/toothpaste.toml"),
    },
    Builtin {
        name: "drip-castle",
        summary: "drops of wet sand pile up to a castle",
        text: include_str!("../scenes/drip-castle.toml"),
    },
    Builtin {
        name: "dam-break",
        summary: "a column of water collapses, hits a post and runs up the far wall",
        text: include_str!("../scenes/dam-break.toml"),
    },
    Builtin {
        name: "water-drop",
        summary: "a ball of water falls into a tank: crown, crater and jet",
        text: include_str!("../scenes/water-drop.toml"),
    },
    Builtin {
        name: "pour",
        summary: "a jet passes a turning paddle and fills a glass",
        text: include_str!("../scenes/pour.toml"),
    },
    Builtin {
        name: "hollow-shape",
        summary: "a ball of water splashes inside a hollow rabbit",
        text: include_str!("../scenes/hollow-shape.toml"),
    },
    Builtin {
        name: "plastic-palette",
        summary: "elastic, plastic, yielding and viscous blobs dropped side by side",
        text: include_str!("../scenes/plastic-palette.toml"),
    },
    Builtin {
        name: "slime-hand",
        summary: "a hand is pulled out of slime and draws strings",
        text: include_str!("../scenes/slime-hand.toml"),
    },
    Builtin {
        name: "rain-on-goo",
        summary: "drops of water fall on a sheet of elastic goo, dent it and run off",
        text: include_str!("../scenes/rain-on-goo.toml"),
    },
    Builtin {
        name: "drop-oscillates",
        summary: "a stretched drop swings about its round shape without gravity",
        text: include_str!("../scenes/drop-oscillates.toml"),
    },
    Builtin {
        name: "oil-and-water",
        summary: "oil under water rises and separates",
        text: include_str!("../scenes/oil-and-water.toml"),
    },
    Builtin {
        name: "lava-lamp",
        summary: "warm wax rises through water, cools and sinks again",
        text: include_str!("../scenes/lava-lamp.toml"),
    },
    Builtin {
        name: "cream-in-coffee",
        summary: "cream is poured into coffee and mixes",
        text: include_str!("../scenes/cream-in-coffee.toml"),
    },
    Builtin {
        name: "paint-mixing",
        summary: "a paddle stirs two paints into one another",
        text: include_str!("../scenes/paint-mixing.toml"),
    },
    Builtin {
        name: "cube-palette",
        summary: "nine cubes of goo between bouncing and running, beside a thin and a thick liquid",
        text: include_str!("../scenes/cube-palette.toml"),
    },
    Builtin {
        name: "squeeze-turn-release",
        summary: "a cube of goo is squeezed, turned and released, and remembers its shape",
        text: include_str!("../scenes/squeeze-turn-release.toml"),
    },
    Builtin {
        name: "goo-splash",
        summary: "a ball of goo splashes aslant into a tank of goo",
        text: include_str!("../scenes/goo-splash.toml"),
    },
    Builtin {
        name: "goo-jets",
        summary: "two jets of goo meet in a box and pile up",
        text: include_str!("../scenes/goo-jets.toml"),
    },
    Builtin {
        name: "goo-drain",
        summary: "goo drains from a tank in a stream that spirals as it piles up",
        text: include_str!("../scenes/goo-drain.toml"),
    },
    Builtin {
        name: "goo-drip",
        summary: "a gob of goo clings to a ceiling, stretches and drips",
        text: include_str!("../scenes/goo-drip.toml"),
    },
    Builtin {
        name: "sticky-spheres",
        summary: "two balls of goo collide off centre, stick together and spin",
        text: include_str!("../scenes/sticky-spheres.toml"),
    },
    Builtin {
        name: "slimed-robot",
        summary: "a robot looks up and is slimed",
        text: include_str!("../scenes/slimed-robot.toml"),
    },
];

impl Builtin {
    /// Reads the scene.
    pub fn scene(&self) -> Result<Scene, SceneErrors> {
        Scene::parse(self.text, &format!("{}.toml", self.name), "")
    }
}

/// All scenes that come with ooze.
pub fn list() -> &'static [Builtin] {
    ALL
}

/// The scene of that name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.name == name)
}
