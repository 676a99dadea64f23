//! Choices between a few options, each with the word that stands for it in files and what is to be said about it.

/// A type whose values are chosen by words. [`choice!`](crate::choice) declares one.
pub trait Choice: Copy + PartialEq + 'static {
    /// What is chosen, line by line.
    const ABOUT: &'static [&'static str];
    /// All options, in the order in which they are told.
    const OPTIONS: &'static [ChoiceOption<Self>];

    /// The word that stands for a value.
    fn word(self) -> &'static str {
        let mut options = Self::OPTIONS.iter();
        options
            .find(|option| option.value == self)
            .map_or("", |option| option.word)
    }
}

/// One of the options of a [`Choice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChoiceOption<T: 'static> {
    /// What it means to the program.
    pub value: T,
    /// What it is called in files.
    pub word: &'static str,
    /// What it does, line by line.
    pub about: &'static [&'static str],
}

/// Declares an enum that is a [`Choice`](crate::Choice): its doc comments are what readers of the reference are told. A word
/// after each option stands for it in files; `default OPTION` after the name makes one the default.
#[macro_export]
macro_rules! choice {
    (
        $(#[doc = $about:literal])+
        $visibility:vis enum $choice:ident $(default $default:ident)? {
            $( $(#[doc = $option_about:literal])+ $option:ident $word:literal; )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visibility enum $choice {
            $( $(#[doc = $option_about])+ $option, )+
        }

        impl $crate::Choice for $choice {
            const ABOUT: &'static [&'static str] = &[$($about),+];
            const OPTIONS: &'static [$crate::ChoiceOption<Self>] = &[$(
                $crate::ChoiceOption {
                    value: Self::$option,
                    word: $word,
                    about: &[$($option_about),+],
                },
            )+];
        }

        $(
            impl Default for $choice {
                fn default() -> Self {
                    Self::$default
                }
            }
        )?
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    choice! {
        /// How a spoon
        /// is held.
        enum Grip default Fist {
            /// In the fist.
            Fist "fist";
            /// With three fingers.
            ThreeFingers "three-fingers";
        }
    }

    #[test]
    fn options_have_words_and_are_told_about() {
        assert_eq!(Grip::default().word(), "fist");
        assert_eq!(Grip::ThreeFingers.word(), "three-fingers");
        assert_eq!(Grip::ABOUT, [" How a spoon", " is held."]);
        assert_eq!(Grip::OPTIONS[1].about, [" With three fingers."]);
    }
}
