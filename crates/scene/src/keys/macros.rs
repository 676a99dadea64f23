//! The macros that declare tables, variants and choices.

/// Declares a table of keys: a struct that can be read from a scene file and describes itself.
///
/// ```text
/// table! {
///     /// What the table is for.
///     struct DomainKeys "domain" {
///         /// What the key means.
///         cells: u64 [count().between(4, 4096)] optional;
///     }
/// }
/// ```
///
/// After the rules in brackets comes the presence: `required`; `optional`, stored as an `Option`; `default(value)`; or
/// `section`, a table that may be left out and then has its defaults; `vital`, a required table without which the rest
/// of the file is still looked at. `shorthand key` after the name lets a plain string stand for a table with that one key.
///
/// `for METHODS` after the presence says which methods read the key; without it, all do. `, essential` after that says that
/// a liquid is another in kind where the key is not read, so that a scene must agree to it.
macro_rules! table {
    (
        $(#[doc = $doc:literal])+
        struct $table:ident $id:literal $(shorthand $shorthand:ident)? {
            $(
                $(#[doc = $key_doc:literal])+
                $key:ident: $type:ty [$rules:expr] $presence:ident $(($default:expr))?
                    $(for $methods:expr $(, $weight:ident)?)?;
            )*
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug)]
        pub(crate) struct $table {
            $( $(#[doc = $key_doc])+ pub(crate) $key: $crate::keys::stored!($presence $type), )*
        }

        impl $table {
            /// The description for schema and reference.
            pub(crate) fn description() -> $crate::keys::TableKind {
                $crate::keys::TableKind {
                    id: $id,
                    doc: $crate::keys::doc(&[$($doc),+]),
                    keys: vec![$(
                        $crate::keys::KeyKind {
                            name: stringify!($key),
                            doc: $crate::keys::doc(&[$($key_doc),+]),
                            kind: <$type as $crate::keys::Value>::kind(&$rules),
                            presence: $crate::keys::presence!($presence $($default)?),
                            readers: $crate::keys::readers!($($methods $(, $weight)?)?),
                        },
                    )*],
                    shorthand: [$(stringify!($shorthand))?].first().copied(),
                }
            }
        }

        impl $crate::keys::Value for $table {
            type Rules = ();

            fn kind(_: &()) -> $crate::keys::Kind {
                $crate::keys::Kind::Table(Self::description)
            }

            fn read(
                located: &$crate::node::Located,
                _: &(),
                reader: &mut $crate::keys::Reader,
            ) -> Option<Self> {
                #[allow(unused_mut, unused_variables)]
                let mut table = $crate::keys::TableReader::open(
                    located,
                    &[$(stringify!($key)),*],
                    [$(stringify!($shorthand))?].first().copied(),
                    reader,
                )?;
                $(
                    $( table.ask(stringify!($key), $crate::keys::readers!($methods $(, $weight)?)); )?
                    let $key = table.$presence::<$type>(stringify!($key), &$rules $(, $default)?);
                )*
                Some(Self { $( $key: $crate::keys::kept!($presence $key) ),* })
            }
        }
    };
}

/// The type in which a key of some presence is stored.
macro_rules! stored {
    (optional $type:ty) => { Option<$crate::place::Placed<$type>> };
    (vital $type:ty) => { Option<$crate::place::Placed<$type>> };
    ($presence:ident $type:ty) => { $crate::place::Placed<$type> };
}

/// What becomes of a table when a key of some presence could not be read.
macro_rules! kept {
    (optional $key:ident) => {
        $key
    };
    (vital $key:ident) => {
        $key
    };
    ($presence:ident $key:ident) => {
        $key?
    };
}

/// The described presence.
macro_rules! presence {
    (required) => {
        $crate::keys::Presence::Required
    };
    (vital) => {
        $crate::keys::Presence::Required
    };
    (default $default:expr) => {
        $crate::keys::Presence::Default($crate::keys::AsWritten::as_written(&$default))
    };
    ($other:ident) => {
        $crate::keys::Presence::Optional
    };
}

/// Who reads a key, and what it means if nobody does.
macro_rules! readers {
    () => {
        $crate::keys::Readers {
            methods: $crate::keys::Methods::ALL,
            essential: false,
        }
    };
    ($methods:expr) => {
        $crate::keys::Readers {
            methods: $methods,
            essential: false,
        }
    };
    ($methods:expr, essential) => {
        $crate::keys::Readers {
            methods: $methods,
            essential: true,
        }
    };
}

/// Declares a choice between tables that are told apart by the key that they stand under.
macro_rules! variants {
    (
        $(#[doc = $doc:literal])+
        enum $choice:ident $id:literal {
            $(
                $(#[doc = $variant_doc:literal])+
                $variant:ident($type:ty) $name:literal [$rules:expr];
            )+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug)]
        #[allow(dead_code, reason = "a kind without keys has nothing to read")]
        pub(crate) enum $choice {
            $( $(#[doc = $variant_doc])+ $variant(Box<$type>), )+
        }

        impl $choice {
            /// The description for schema and reference.
            pub(crate) fn description() -> $crate::keys::VariantsKind {
                $crate::keys::VariantsKind {
                    id: $id,
                    doc: $crate::keys::doc(&[$($doc),+]),
                    variants: vec![$(
                        $crate::keys::VariantKind {
                            name: $name,
                            doc: $crate::keys::doc(&[$($variant_doc),+]),
                            kind: <$type as $crate::keys::Value>::kind(&$rules),
                        },
                    )+],
                }
            }
        }

        impl $crate::keys::Value for $choice {
            type Rules = ();

            fn kind(_: &()) -> $crate::keys::Kind {
                $crate::keys::Kind::Variants(Self::description)
            }

            fn read(
                located: &$crate::node::Located,
                _: &(),
                reader: &mut $crate::keys::Reader,
            ) -> Option<Self> {
                let (name, content) = $crate::keys::read_variant(located, &[$($name),+], reader)?;
                match name {
                    $(
                        $name => <$type as $crate::keys::Value>::read(&content, &$rules, reader)
                            .map(|content| Self::$variant(Box::new(content))),
                    )+
                    _ => None,
                }
            }
        }
    };
}

/// Declares a choice between words. `for METHODS` after a word says which methods know it; without it, all do.
macro_rules! choice {
    (
        $(#[doc = $doc:literal])+
        enum $choice:ident {
            $( $(#[doc = $option_doc:literal])+ $option:ident $name:literal $(for $methods:expr)?; )+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $choice {
            $( $(#[doc = $option_doc])+ $option, )+
        }

        impl $choice {
            /// All options by name.
            pub(crate) const ALL: &'static [(&'static str, Self)] = &[$(($name, Self::$option)),+];

            /// The word itself.
            pub(crate) fn name(self) -> &'static str {
                match self { $( Self::$option => $name, )+ }
            }

            /// The description for schema and reference.
            pub(crate) fn description() -> $crate::keys::ChoiceKind {
                $crate::keys::ChoiceKind {
                    doc: $crate::keys::doc(&[$($doc),+]),
                    options: vec![$(
                        $crate::keys::OptionKind {
                            name: $name,
                            doc: $crate::keys::doc(&[$($option_doc),+]),
                            methods: $crate::keys::readers!($($methods)?).methods,
                        },
                    )+],
                }
            }
        }

        impl $crate::keys::Value for $choice {
            type Rules = ();

            fn kind(_: &()) -> $crate::keys::Kind {
                $crate::keys::Kind::Choice(Self::description)
            }

            fn read(
                located: &$crate::node::Located,
                _: &(),
                reader: &mut $crate::keys::Reader,
            ) -> Option<Self> {
                let read = $crate::keys::read_choice(located, Self::ALL, reader);
                $( $(
                    if read == Some(Self::$option) {
                        reader.ask(&located.place, $name, $crate::keys::readers!($methods));
                    }
                )? )+
                read
            }
        }

        impl $crate::keys::AsWritten for $choice {
            fn as_written(&self) -> String {
                format!("\"{}\"", self.name())
            }
        }
    };
}

pub(crate) use {choice, kept, presence, readers, stored, table, variants};
