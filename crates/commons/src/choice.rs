//! Choices between a few options, each with the word that stands for it in files and what is to be said about it.

/// A type whose values are chosen by words. [`choice!`](crate::choice) declares one.
pub trait Choice: Copy + PartialEq + 'static {
    /// What is chosen, line by line.
    const ABOUT: &'static [&'static str];
    /// All options, in the order in which they are told.
    const OPTIONS: &'static [ChoiceOption<Self>];

    /// The word that stands for a value.
    fn word(self) -> &'static str;
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
/// after each option stands for it in files; `default OPTION` after the name makes one the default. An option may have a value,
/// `Blend(f32 = 0.5) "blend"`: the one that is written here is what the word alone means.
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

        $crate::options! {
            [$($about),+] $choice { $( [$($option_about),+] $option $word; )+ }
        }

        $(
            impl Default for $choice {
                fn default() -> Self {
                    Self::$default
                }
            }
        )?
    };
    (
        $(#[doc = $about:literal])+
        $visibility:vis enum $choice:ident {
            $(
                $(#[doc = $option_about:literal])+
                $option:ident $(($value:ty = $usual:expr))? $word:literal;
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq)]
        $visibility enum $choice {
            $( $(#[doc = $option_about])+ $option $(($value))?, )+
        }

        $crate::options! {
            [$($about),+] $choice { $( [$($option_about),+] $option $(($usual))? $word; )+ }
        }
    };
}

/// Makes an enum a [`Choice`](crate::Choice), for [`choice!`](crate::choice).
#[doc(hidden)]
#[macro_export]
macro_rules! options {
    (
        [$($about:literal),+] $choice:ident {
            $( [$($option_about:literal),+] $option:ident $(($usual:expr))? $word:literal; )+
        }
    ) => {
        impl $crate::Choice for $choice {
            const ABOUT: &'static [&'static str] = &[$($about),+];
            const OPTIONS: &'static [$crate::ChoiceOption<Self>] = &[$(
                $crate::ChoiceOption {
                    value: Self::$option $(($usual))?,
                    word: $word,
                    about: &[$($option_about),+],
                },
            )+];

            fn word(self) -> &'static str {
                match self {
                    $( Self::$option { .. } => $word, )+
                }
            }
        }
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

    choice! {
        /// How full it is.
        enum Filling {
            /// Nothing on it.
            Empty "empty";
            /// A share of what it holds.
            Partly(f32 = 0.5) "partly";
        }
    }

    #[test]
    fn options_may_have_values() {
        assert_eq!(Filling::OPTIONS[0].value, Filling::Empty);
        assert_eq!(Filling::OPTIONS[1].value, Filling::Partly(0.5));
        assert_eq!(Filling::Partly(0.9).word(), "partly");
    }

    #[test]
    fn options_have_words_and_are_told_about() {
        assert_eq!(Grip::default().word(), "fist");
        assert_eq!(Grip::ThreeFingers.word(), "three-fingers");
        assert_eq!(Grip::ABOUT, [" How a spoon", " is held."]);
        assert_eq!(Grip::OPTIONS[1].about, [" With three fingers."]);
    }
}
