//! Presets of liquids that stand until they are pushed hard enough.

use super::MaterialPreset;

pub(super) const PRESETS: &[MaterialPreset] = &[
    MaterialPreset::new("ketchup", "Tomato ketchup at 25 °C", [1145.0, 6.7, 0.05])
        .celsius(25.0)
        .flow_curve(32.0, 18.7, 0.27)
        .looks("ketchup", [0.5, 0.02, 0.01])
        .source(
            "Flow curve: Higgs & Norrington (1971) in Steffe (1996); density and surface tension are orders of \
             magnitude",
        ),
    MaterialPreset::new("mayonnaise", "Egg mayonnaise at 25 °C", [910.0, 4.8, 0.04])
        .celsius(25.0)
        .flow_curve(25.0, 6.4, 0.55)
        .elastic(600.0, 0.059, 5.0)
        .looks("mayonnaise", [0.93, 0.86, 0.62])
        .source(
            "Consistency and flow index: Steffe (1996); yield stress: De Kee, Turcotte & Code (1980) in Steffe (1996); \
             modulus of the order found by Ma & Barbosa-Cánovas (1995), with the yield strain that fits; density and \
             surface tension are orders of magnitude",
        ),
    MaterialPreset::new("yoghurt", "Stirred yoghurt at 10 °C", [1035.0, 2.3, 0.045])
        .celsius(10.0)
        .heat(0.52, 3600.0)
        .flow_curve(8.0, 5.3, 0.45)
        .looks("cream", [0.96, 0.94, 0.9])
        .source(
            "Form of the flow curve: Ramaswamy & Basak (1991); its numbers, as the others, are a choice of the right \
             order of magnitude",
        ),
    MaterialPreset::new("toothpaste", "White toothpaste at 25 °C", [1300.0, 50.0, 0.05])
        .celsius(25.0)
        .flow_curve(200.0, 120.0, 0.4)
        .elastic(5000.0, 0.057, 2.0)
        .looks("toothpaste", [0.92, 0.95, 0.96])
        .source(
            "Of the order measured by Ardakani, Mitsoulis & Hatzikiriakos (2011); the yield strain is the one that \
             fits modulus and yield stress",
        ),
    MaterialPreset::new("hair-gel", "Carbopol hair gel at 25 °C", [1010.0, 10.0, 0.06])
        .celsius(25.0)
        .flow_curve(50.0, 20.0, 0.4)
        .elastic(800.0, 0.088, 5.0)
        .looks("shampoo", [0.55, 0.85, 0.9])
        .source(
            "Of the order given for Carbopol gels by Piau (2007) and Coussot et al. (2009); the yield strain is the one \
             that fits modulus and yield stress",
        ),
    MaterialPreset::new("paint", "Emulsion wall paint at 20 °C", [1300.0, 3.0, 0.035])
        .flow_curve(5.0, 8.0, 0.5)
        .looks("paint", [0.05, 0.2, 0.65])
        .source("Order of magnitude for decorative paints in Eley (2005) and Patton (1979)"),
    MaterialPreset::new("chocolate", "Melted milk chocolate at 40 °C", [1270.0, 4.0, 0.03])
        .celsius(40.0)
        .heat(0.26, 1600.0)
        .melts(33.0, 4.5e4)
        .sets(1e7, 8.0)
        .flow_curve(12.0, 4.0, 0.85)
        .looks("chocolate", [0.13, 0.05, 0.02])
        .source(
            "Within the ranges of Beckett (2009) and Afoakwa, Paterson & Fowler (2009) for milk chocolate; surface \
             tension is that of fats, an order of magnitude",
        ),
    MaterialPreset::new("cake-batter", "Sponge-cake batter at 20 °C", [1000.0, 4.5, 0.045])
        .flow_curve(5.0, 10.0, 0.6)
        .looks("dough", [0.85, 0.68, 0.35])
        .source(
            "A choice of the right order of magnitude: batters are strongly shear-thinning with consistencies of 5 to \
             30 Pa sⁿ and flow indices of 0.5 to 0.7 (Sanz et al. 2005)",
        ),
    MaterialPreset::new("mud", "Fine clay-rich mudflow", [1500.0, 9.3, 0.06])
        .flow_curve(50.0, 20.0, 0.33)
        .looks("mud", [0.18, 0.1, 0.05])
        .source("Coussot, Mudflow Rheology and Dynamics (1997): flow index 1/3; the level is an order of magnitude"),
    MaterialPreset::new("wet-cement", "Fresh cement mortar", [2100.0, 12.0, 0.06])
        .flow_curve(100.0, 2.0, 1.0)
        .looks("cement", [0.4, 0.4, 0.39])
        .source("Banfill (2006): mortars yield at 80 to 400 Pa with plastic viscosities of 1 to 3 Pa s"),
    MaterialPreset::new("clay", "Soft potter's clay", [1800.0, 1200.0, 0.06])
        .flow_curve(1e4, 600.0, 0.5)
        .elastic(2e5, 0.071, 2.0)
        .looks("clay", [0.45, 0.2, 0.1])
        .source("A choice of the right order of magnitude: kaolin pastes for throwing yield at some 10 kPa"),
];
