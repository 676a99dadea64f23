//! Presets of liquids that simply flow: Newtonian, or nearly so.

use super::{MaterialPreset, ViscosityLaw};

pub(super) const PRESETS: &[MaterialPreset] = &[
    MaterialPreset::new("water", "Clean water at 20 °C", [998.2, 1.0016e-3, 0.0728])
        .heat(0.598, 4184.0)
        .melts(0.0, 3.337e5)
        .sets(1e9, 1.0)
        .thins(ViscosityLaw::Vogel {
            slope: 247.8,
            pole: 140.0,
        })
        .looks("water", [0.75, 0.9, 1.0])
        .source(
            "CRC Handbook of Chemistry and Physics (2014); viscosity and its law: Kestin, Sokolov & Wakeham (1978), \
             fitted as 2.414e-5 · 10^(247.8/(T − 140)); surface tension: Vargaftik et al. (1983)",
        ),
    MaterialPreset::new("ethanol", "Pure alcohol at 20 °C", [789.0, 1.2e-3, 0.0224])
        .heat(0.167, 2440.0)
        .looks("water", [0.95, 0.97, 1.0])
        .source("CRC Handbook of Chemistry and Physics (2014)"),
    MaterialPreset::new("milk", "Whole milk at 20 °C", [1030.0, 2.1e-3, 0.047])
        .heat(0.55, 3900.0)
        .looks("milk", [0.95, 0.93, 0.88])
        .source("Walstra & Jenness, Dairy Chemistry and Physics (1984)"),
    MaterialPreset::new("cream", "Heavy cream of 40 % fat at 20 °C", [990.0, 0.015, 0.045])
        .heat(0.38, 3350.0)
        .looks("cream", [0.96, 0.92, 0.82])
        .source(
            "Density and heat: Walstra & Jenness (1984). Viscosity: 6.9 mPa s at 40 °C by Phipps (1969), carried down \
             to 20 °C as an order of magnitude",
        ),
    MaterialPreset::new("blood", "Whole human blood at 37 °C, flowing fast", [1060.0, 3.5e-3, 0.056])
        .celsius(37.0)
        .heat(0.52, 3600.0)
        .looks("ketchup", [0.35, 0.01, 0.01])
        .source(
            "Merrill (1969), high-shear viscosity at a haematocrit of 45 %; surface tension: Hrnčíř & Rosina (1997); \
             its yield stress of some 5 mPa is left out",
        ),
    MaterialPreset::new("olive-oil", "Olive oil at 20 °C", [913.0, 0.084, 0.032])
        .heat(0.17, 1970.0)
        .thins(ViscosityLaw::Arrhenius {
            activation_energy: 3.28e4,
        })
        .looks("oil", [0.75, 0.65, 0.1])
        .source(
            "CRC Handbook of Chemistry and Physics (2014); activation energy from 0.138 Pa s at 10 °C and 0.0363 Pa s \
             at 40 °C in Steffe, Rheological Methods in Food Process Engineering (1996)",
        ),
    MaterialPreset::new("motor-oil", "SAE 30 engine oil at 20 °C", [891.0, 0.29, 0.035])
        .heat(0.145, 1900.0)
        .looks("oil", [0.5, 0.25, 0.03])
        .source("White, Fluid Mechanics (2011), table A.3; heat: Incropera & DeWitt (2007), table A.5"),
    MaterialPreset::new("silicone-oil", "Polydimethylsiloxane of 1000 cSt at 25 °C", [970.0, 0.97, 0.0212])
        .celsius(25.0)
        .heat(0.16, 1460.0)
        .looks("water", [0.97, 0.97, 0.97])
        .source("Data sheet of Dow Corning 200 fluid, 1000 cSt (1998)"),
    MaterialPreset::new("maple-syrup", "Maple syrup of 66 % sugar at 20 °C", [1325.0, 0.16, 0.074])
        .heat(0.38, 2750.0)
        .looks("honey", [0.55, 0.2, 0.03])
        .source(
            "Taken as a sucrose solution of its strength: Mathlouthi & Reiser, Sucrose (1995); heat is an order of \
             magnitude",
        ),
    MaterialPreset::new("glycerine", "Pure glycerine at 20 °C", [1261.0, 1.412, 0.0634])
        .heat(0.285, 2400.0)
        .melts(18.1, 1.99e5)
        .thins(ViscosityLaw::Vogel {
            slope: 853.6,
            pole: 147.0,
        })
        .looks("glycerine", [0.97, 0.98, 0.97])
        .source(
            "Segur & Oberstar (1951) for viscosity (law fitted between 0 and 40 °C); CRC Handbook of Chemistry and \
             Physics (2014) for the rest",
        ),
    MaterialPreset::new("corn-syrup", "Light corn syrup from a shop at 20 °C", [1380.0, 5.0, 0.08])
        .heat(0.35, 2300.0)
        .thins(ViscosityLaw::Exponential { rate: 0.1 })
        .looks("syrup", [0.95, 0.85, 0.6])
        .source(
            "Surface tension: Manga & Stone (1995). Viscosity and its slope are a choice of the right order of \
             magnitude: shop syrups measure 2 to 8 Pa s, industrial ones (Corn Refiners Association 2006) far more",
        ),
    MaterialPreset::new("molasses", "Heavy dark molasses at 21 °C", [1400.0, 6.6, 0.05])
        .celsius(21.1)
        .heat(0.35, 2300.0)
        .thins(ViscosityLaw::Arrhenius {
            activation_energy: 5.55e4,
        })
        .looks("molasses", [0.08, 0.02, 0.005])
        .source(
            "Viscosity between 21 and 66 °C: Steffe (1996), after Hayes (1987); surface tension and heat are orders \
             of magnitude",
        ),
    MaterialPreset::new("honey", "Clover honey of 17 % water at 20 °C", [1420.0, 10.0, 0.06])
        .heat(0.5, 2260.0)
        .thins(ViscosityLaw::Arrhenius {
            activation_energy: 9.5e4,
        })
        .looks("honey", [0.9, 0.45, 0.04])
        .source(
            "Viscosity: Munro (1943) has 3 to 9 Pa s at 25 °C for 17 to 19 % water, about twice that at 20 °C; slope: \
             Yanniotis, Skaltsi & Karaburnioti (2006); density and heat: White (1975) after Helvey (1954); surface \
             tension: Oroian (2013)",
        ),
    MaterialPreset::new("pitch", "Coal-tar pitch at 20 °C, as in the pitch drop", [1100.0, 2.3e8, 0.03])
        .looks("paint", [0.01, 0.01, 0.01])
        .source(
            "Viscosity and density: Edgeworth, Dalton & Parnell (1984); surface tension is an order of magnitude",
        ),
    MaterialPreset::new("mercury", "Mercury at 20 °C", [13_546.0, 1.55e-3, 0.485])
        .heat(8.3, 139.5)
        .melts(-38.8, 1.14e4)
        .looks("metal", [0.8, 0.8, 0.82])
        .source("CRC Handbook of Chemistry and Physics (2014)"),
];
