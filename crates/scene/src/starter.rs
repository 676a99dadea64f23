//! Commented scenes to start from, one for each kind of method.

use crate::file::MethodWord;
use crate::written::quoted;

/// The text of a new scene of that name.
pub fn starter(name: &str) -> String {
    filled(MethodWord::Flip, name)
}

/// The text of a new scene of that name that suits a method, if there is such a method.
pub fn starter_for(method: &str, name: &str) -> Option<String> {
    let (_, word) = MethodWord::ALL.iter().find(|(known, _)| *known == method)?;
    Some(filled(*word, name))
}

fn filled(word: MethodWord, name: &str) -> String {
    let template = match word {
        MethodWord::Flip | MethodWord::Apic | MethodWord::BattyBridson2008 => {
            include_str!("../scenes/starter.toml.in")
        }
        MethodWord::LevelSet | MethodWord::Goktekin2011 => {
            include_str!("../scenes/starter-level-set.toml.in")
        }
        MethodWord::Clavet | MethodWord::Clavet2005 => {
            include_str!("../scenes/starter-clavet.toml.in")
        }
        MethodWord::Mueller | MethodWord::Mueller2003 => {
            include_str!("../scenes/starter-mueller.toml.in")
        }
    };
    template
        .replace("{name}", &quoted(name))
        .replace("{method}", word.name())
}
