//! Presets of liquids that remember their shape for a while, or for good.

use super::MaterialPreset;

pub(super) const PRESETS: &[MaterialPreset] = &[
    MaterialPreset::new("shampoo", "Clear shampoo at 25 °C", [1020.0, 5.0, 0.03])
        .celsius(25.0)
        .elastic(200.0, 0.0, 20.0)
        .relaxes(0.05)
        .looks("shampoo", [0.9, 0.6, 0.2])
        .source(
            "One Maxwell mode, as worm-like micelles have (Rehage & Hoffmann 1991); the numbers are the order of \
             magnitude of shop products",
        ),
    MaterialPreset::new("egg-white", "Thick white of a fresh egg at 20 °C", [1040.0, 0.1, 0.05])
        .elastic(4.0, 0.0, 20.0)
        .relaxes(0.05)
        .looks("shampoo", [0.95, 0.95, 0.75])
        .source(
            "Viscosity of the order measured by Lang & Rha (1982); modulus and memory are an order of magnitude",
        ),
    MaterialPreset::new("mucus", "Mucus, slow and stringy, at 37 °C", [1010.0, 3.0, 0.05])
        .celsius(37.0)
        .elastic(20.0, 0.0, 3.0)
        .relaxes(0.3)
        .looks("slime", [0.7, 0.8, 0.4])
        .source("Within the wide ranges collected by Lai, Wang, Wirtz & Hanes (2009); an order of magnitude"),
    MaterialPreset::new("slime", "Toy slime of polyvinyl alcohol and borax at 20 °C", [1020.0, 150.0, 0.05])
        .elastic(1000.0, 0.05, 3.0)
        .relaxes(0.3)
        .looks("slime", [0.15, 0.75, 0.1])
        .source(
            "Moduli and relaxation times of the order found by Inoue & Osaki (1993); recipe of Casassa, Sarquis & \
             Van Dyke (1986)",
        ),
    MaterialPreset::new("gelatin", "Set dessert gelatin of 5 % at 15 °C", [1015.0, 8.0, 0.06])
        .celsius(15.0)
        .heat(0.55, 3900.0)
        .melts(32.0, 1.5e4)
        .elastic(4000.0, 0.8, 1.0)
        .looks("gelatin", [0.75, 0.05, 0.08])
        .source(
            "Modulus of the order found by Bot et al. (1996); viscosity stands for the internal damping; heat of \
             melting of the gel network is an order of magnitude",
        ),
    MaterialPreset::new("dough", "Bread dough of wheat flour at 25 °C", [1150.0, 1e4, 0.06])
        .celsius(25.0)
        .heat(0.45, 2800.0)
        .elastic(2e4, 0.2, 1.0)
        .relaxes(1.0)
        .looks("dough", [0.85, 0.75, 0.55])
        .source(
            "Modulus and the order of magnitude of viscosity: Dobraszczyk & Morgenstern (2003), from a broad spectrum \
             of relaxation times reduced to one",
        ),
];
