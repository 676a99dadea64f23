//! Plain values: numbers, vectors, strings, lists; and the rules that they obey.

use glam::Vec3;

use super::{AsWritten, Kind, Reader, Value};
use crate::node::{Located, Node};
use crate::place::Placed;

/// No quantity of a scene is larger than this; beyond it single precision would lose its meaning.
const LARGEST: f64 = 1e9;

/// Rules of a number: unit and range.
#[derive(Clone, Copy)]
pub(crate) struct Number {
    /// Unit for messages and documents; empty for pure numbers.
    pub unit: &'static str,
    pub low: f64,
    pub high: f64,
    /// Whether `low` itself is forbidden.
    pub above: bool,
}

/// A number in some unit.
pub(crate) const fn number(unit: &'static str) -> Number {
    Number {
        unit,
        low: -LARGEST,
        high: LARGEST,
        above: false,
    }
}

/// A length or a coordinate.
pub(crate) const fn metres() -> Number {
    number("m").between(-1e6, 1e6)
}

/// A time.
pub(crate) const fn seconds() -> Number {
    number("s").between(0.0, 1e6)
}

/// An angle.
pub(crate) const fn degrees() -> Number {
    number("degrees").between(-36_000.0, 36_000.0)
}

impl Number {
    /// Limits the range, ends included.
    pub(crate) const fn between(mut self, low: f64, high: f64) -> Self {
        self.low = low;
        self.high = high;
        self
    }

    /// Limits the range from below.
    pub(crate) const fn at_least(mut self, low: f64) -> Self {
        self.low = low;
        self
    }

    /// Limits the range from below, the end excluded.
    pub(crate) const fn above(mut self, low: f64) -> Self {
        self.low = low;
        self.above = true;
        self
    }

    /// A size: at least a micrometre (or its counterpart in other units).
    pub(crate) const fn size(self) -> Self {
        self.at_least(1e-6)
    }

    fn allows(&self, value: f64) -> bool {
        let beyond_low = if self.above {
            value > self.low
        } else {
            value >= self.low
        };
        beyond_low && value <= self.high
    }

    /// What a value must be that is not allowed, in words: the range, or the end of it that the range does not tell.
    fn demand(&self, value: f64) -> String {
        if value > self.high && self.high >= LARGEST {
            let space = if self.unit.is_empty() { "" } else { " " };
            return format!("at most {}{space}{}", plain(self.high), self.unit);
        }
        self.range()
    }

    /// The range in words, as "from 0 to 1".
    pub(crate) fn range(&self) -> String {
        let (low, high) = (plain(self.low), plain(self.high));
        let unit = if self.unit.is_empty() {
            String::new()
        } else {
            format!(" {}", self.unit)
        };
        match (self.above, self.high < LARGEST, self.low > -LARGEST) {
            (true, true, _) => format!("above {low} and at most {high}{unit}"),
            (true, false, _) => format!("above {low}{unit}"),
            (false, false, true) => format!("at least {low}{unit}"),
            (false, _, _) => format!("from {low} to {high}{unit}"),
        }
    }
}

/// A number without needless digits.
pub(crate) fn plain(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e6).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

impl Value for f64 {
    type Rules = Number;

    fn kind(rules: &Number) -> Kind {
        Kind::Number(*rules)
    }

    fn read(located: &Located, rules: &Number, reader: &mut Reader) -> Option<Self> {
        let value = match located.node {
            Node::Number(value) => value,
            Node::Whole(value) => value as f64,
            _ => return reader.wrong(located, &format!("a number, {}", rules.range())),
        };
        if rules.allows(value) {
            return Some(value);
        }
        reader.wrong(located, &rules.demand(value))
    }
}

impl AsWritten for f64 {
    fn as_written(&self) -> String {
        plain(*self)
    }
}

/// Rules of a whole number: range.
#[derive(Clone, Copy)]
pub(crate) struct Whole {
    pub low: u64,
    pub high: u64,
}

/// A number of things.
pub(crate) const fn count() -> Whole {
    Whole {
        low: 0,
        high: i64::MAX as u64,
    }
}

impl Whole {
    /// Limits the range, ends included.
    pub(crate) const fn between(self, low: u64, high: u64) -> Self {
        Self { low, high }
    }

    /// The range in words.
    pub(crate) fn range(&self) -> String {
        if self.high == i64::MAX as u64 {
            format!("at least {}", self.low)
        } else {
            format!("from {} to {}", self.low, self.high)
        }
    }
}

impl Value for u64 {
    type Rules = Whole;

    fn kind(rules: &Whole) -> Kind {
        Kind::Whole(*rules)
    }

    fn read(located: &Located, rules: &Whole, reader: &mut Reader) -> Option<Self> {
        let whole = match located.node {
            Node::Whole(value) => u64::try_from(value).ok(),
            _ => None,
        };
        match whole {
            Some(value) if (rules.low..=rules.high).contains(&value) => Some(value),
            _ => reader.wrong(located, &format!("a whole number, {}", rules.range())),
        }
    }
}

impl AsWritten for u64 {
    fn as_written(&self) -> String {
        self.to_string()
    }
}

/// Rules of a vector: those of its components, and whether it may vanish.
#[derive(Clone, Copy)]
pub(crate) struct Vector {
    pub component: Number,
    /// Whether it is a direction, which must have a length.
    pub direction: bool,
}

/// A vector with components of a kind.
pub(crate) const fn vector(component: Number) -> Vector {
    Vector {
        component,
        direction: false,
    }
}

impl Vector {
    /// A direction, of any length but zero.
    pub(crate) const fn direction() -> Self {
        Self {
            component: number(""),
            direction: true,
        }
    }
}

impl Value for Vec3 {
    type Rules = Vector;

    fn kind(rules: &Vector) -> Kind {
        Kind::Vector(*rules)
    }

    fn read(located: &Located, rules: &Vector, reader: &mut Reader) -> Option<Self> {
        let unit = rules.component.unit;
        let in_unit = if unit.is_empty() {
            String::new()
        } else {
            format!(", in {unit}")
        };
        let three = format!("a list of three numbers, [x, y, z]{in_unit}");
        let Node::List(items) = &located.node else {
            return reader.wrong(located, &three);
        };
        if items.len() != 3 {
            return reader.wrong(located, &three);
        }
        let [x, y, z] = [0, 1, 2].map(|axis| f64::read(&items[axis], &rules.component, reader));
        let value = Vec3::new(x? as f32, y? as f32, z? as f32);
        if rules.direction && value.length_squared() < 1e-20 {
            return reader.wrong(located, "a direction, which needs a length above zero");
        }
        Some(value)
    }
}

impl AsWritten for Vec3 {
    fn as_written(&self) -> String {
        // Through the text of the single-precision number, so that 9.81 stays 9.81.
        let components = self.to_array().map(|component| component.to_string());
        format!("[{}]", components.join(", "))
    }
}

impl Value for bool {
    type Rules = ();

    fn kind(_: &()) -> Kind {
        Kind::Flag
    }

    fn read(located: &Located, _: &(), reader: &mut Reader) -> Option<Self> {
        match located.node {
            Node::Flag(value) => Some(value),
            _ => reader.wrong(located, "true or false"),
        }
    }
}

impl AsWritten for bool {
    fn as_written(&self) -> String {
        self.to_string()
    }
}

/// Rules of a string.
#[derive(Clone, Copy)]
pub(crate) enum Text {
    /// Any.
    Free,
    /// Any that is not empty.
    Some,
    /// One of a list.
    OneOf(fn() -> Vec<&'static str>),
    /// The name of a material: one of the file's own, or of the given presets.
    Material(fn() -> Vec<&'static str>),
}

impl Value for String {
    type Rules = Text;

    fn kind(rules: &Text) -> Kind {
        Kind::Text(match rules {
            Text::OneOf(list) => list(),
            Text::Free | Text::Some | Text::Material(_) => Vec::new(),
        })
    }

    fn read(located: &Located, rules: &Text, reader: &mut Reader) -> Option<Self> {
        let Node::Text(text) = &located.node else {
            return reader.wrong(located, "a string in quotes");
        };
        match rules {
            Text::Some if text.trim().is_empty() => {
                reader.wrong(located, "a string that is not empty")
            }
            Text::OneOf(list) if !list().contains(&text.as_str()) => {
                reader.unknown_word(located, text, &list())
            }
            Text::Material(presets) => {
                let mut known = presets();
                let own = reader.materials.clone();
                known.extend(own.iter().map(String::as_str));
                if known.contains(&text.as_str()) {
                    Some(text.clone())
                } else {
                    reader.unknown_word(located, text, &known)
                }
            }
            _ => Some(text.clone()),
        }
    }
}

impl AsWritten for &str {
    fn as_written(&self) -> String {
        format!("\"{self}\"")
    }
}

impl AsWritten for String {
    fn as_written(&self) -> String {
        self.as_str().as_written()
    }
}

/// Rules of a list: those of its items, and how many there must be.
pub(crate) struct List<Rules> {
    pub items: Rules,
    pub least: usize,
}

impl<T: Value> Value for Vec<Placed<T>> {
    type Rules = List<T::Rules>;

    fn kind(rules: &Self::Rules) -> Kind {
        Kind::List {
            items: Box::new(T::kind(&rules.items)),
            least: rules.least,
        }
    }

    /// Items that cannot be read are left out, so that the rest of the file is checked too; but a list that must not be
    /// empty means nothing without all of its items.
    fn read(located: &Located, rules: &Self::Rules, reader: &mut Reader) -> Option<Self> {
        let Node::List(items) = &located.node else {
            return reader.wrong(located, "a list");
        };
        if items.len() < rules.least {
            return reader.wrong(located, &format!("a list of at least {}", rules.least));
        }
        let read = items.iter().filter_map(|item| {
            let value = T::read(item, &rules.items, reader)?;
            Some(Placed {
                value,
                place: item.place.clone(),
                explicit: true,
            })
        });
        let read: Vec<Placed<T>> = read.collect();
        (rules.least == 0 || read.len() == items.len()).then_some(read)
    }
}

/// Values under names that the user chooses, in the order of the file.
#[derive(Clone, Debug)]
pub(crate) struct Named<T>(pub Vec<(String, Placed<T>)>);

impl<T: Value> Value for Named<T> {
    type Rules = T::Rules;

    fn kind(rules: &T::Rules) -> Kind {
        Kind::Named(Box::new(T::kind(rules)))
    }

    fn read(located: &Located, rules: &T::Rules, reader: &mut Reader) -> Option<Self> {
        let Node::Table(entries) = &located.node else {
            return reader.wrong(located, "a table with names as keys");
        };
        let items = entries.iter().filter_map(|entry| {
            let value = T::read(&entry.value, rules, reader)?;
            let given = Placed {
                value,
                place: entry.place.clone(),
                explicit: true,
            };
            Some((entry.name.clone(), given))
        });
        Some(Self(items.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_read_as_words() {
        assert_eq!(number("m").between(0.0, 1.0).range(), "from 0 to 1 m");
        assert_eq!(number("").above(0.0).range(), "above 0");
        assert_eq!(
            number("s").above(0.0).between(0.0, 2.0).range(),
            "above 0 and at most 2 s"
        );
        assert_eq!(number("Pa").at_least(0.0).range(), "at least 0 Pa");
        assert_eq!(number("Pa").at_least(0.0).demand(-1.0), "at least 0 Pa");
        assert_eq!(number("Pa").at_least(0.0).demand(1e12), "at most 1e9 Pa");
        assert_eq!(number("").range(), "from -1e9 to 1e9");
        assert_eq!(count().between(4, 9).range(), "from 4 to 9");
        assert_eq!(count().range(), "at least 0");
    }

    #[test]
    fn defaults_are_shown_as_they_would_be_written() {
        assert_eq!(Vec3::new(0.0, -9.81, 0.0).as_written(), "[0, -9.81, 0]");
        assert_eq!(0.97f64.as_written(), "0.97");
        assert_eq!(1e-6f64.as_written(), "1e-6");
        assert_eq!("flip".as_written(), "\"flip\"");
        assert_eq!(super::super::doc(&[" One", " two."]), "One two.");
    }
}
