//! Presets of liquids that are solid when cool.

use super::{MaterialPreset, ViscosityLaw};

pub(super) const PRESETS: &[MaterialPreset] = &[
    MaterialPreset::new("wax", "Molten paraffin wax at 70 °C", [775.0, 5e-3, 0.027])
        .celsius(70.0)
        .heat(0.22, 2300.0)
        .melts(57.0, 2.0e5)
        .sets(1e8, 8.0)
        .thins(ViscosityLaw::Arrhenius {
            activation_energy: 1.9e4,
        })
        .looks("wax", [0.9, 0.85, 0.7])
        .source(
            "Of the order given for paraffins by Ukrainczyk, Kurajica & Šipušić (2010) and, for viscosity, by \
             Himran, Suwono & Mansoori (1994); how thick the solid is, is a choice: thick enough to stand",
        ),
    MaterialPreset::new("lava", "Hawaiian basalt at 1150 °C", [2650.0, 100.0, 0.35])
        .celsius(1150.0)
        .heat(1.2, 1200.0)
        .melts(1050.0, 4.0e5)
        .sets(1e9, 200.0)
        .thins(ViscosityLaw::Vogel {
            slope: 5520.0,
            pole: 580.0,
        })
        .looks("lava", [0.05, 0.04, 0.04])
        .source(
            "Density and surface tension: Murase & McBirney (1973); viscosity: Shaw et al. (1968); its law has the form \
             and the intercept −4.55 of Giordano, Russell & Dingwell (2008); latent heat of the order of Kojitani & \
             Akaogi (1995), spread over some 200 K around the stated point",
        ),
    MaterialPreset::new("caramel", "Boiled sugar at 130 °C, ready to be poured", [1400.0, 8.0, 0.08])
        .celsius(130.0)
        .heat(0.4, 2000.0)
        .thins(ViscosityLaw::Vogel {
            slope: 833.0,
            pole: 260.0,
        })
        .looks("caramel", [0.35, 0.12, 0.02])
        .source(
            "A choice of the right order of magnitude: a glass former that sets at about 40 °C, of the fragility of \
             sugars (Angell 1995)",
        ),
    MaterialPreset::new("solder", "Tin-lead solder, 63 % tin, at 230 °C", [8200.0, 2.0e-3, 0.49])
        .celsius(230.0)
        .heat(25.0, 230.0)
        .melts(183.0, 4.5e4)
        .sets(1e8, 4.0)
        .looks("steel", [0.75, 0.76, 0.78])
        .source(
            "Eutectic alloy: Schwartz, Soldering (2014); conductivity of the melt and viscosity are of the right order of \
             magnitude",
        ),
    MaterialPreset::new("glass", "Soda-lime glass at 1000 °C, ready to be worked", [2400.0, 1400.0, 0.31])
        .celsius(1000.0)
        .heat(1.5, 1300.0)
        .thins(ViscosityLaw::Vogel {
            slope: 4239.7,
            pole: 538.85,
        })
        .looks("glass", [0.8, 0.9, 0.85])
        .source(
            "Viscosity and its law: Napolitano & Hawkins (1964), standard glass 710; density, surface tension and heat: \
             of the order in Scholze, Glass (1991)",
        ),
];
