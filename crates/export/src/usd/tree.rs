//! The prims of a layer and their properties, and the tables at the end of a crate file that hold them.

use std::io::{self, Seek, Write};

use super::crate_file::CrateFile;
use super::value::Value;

/// What a spec is, by its number in crate files (OpenUSD, SdfSpecType).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SpecKind {
    Attribute = 1,
    Prim = 6,
    PseudoRoot = 7,
    Relationship = 8,
}

/// An attribute or a relationship.
pub(super) struct Property {
    name: String,
    kind: SpecKind,
    fields: Vec<(&'static str, Value)>,
}

impl Property {
    /// An attribute that has no value yet.
    pub(super) fn attribute<W: Write + Seek>(
        file: &mut CrateFile<W>,
        type_name: &str,
        name: &str,
    ) -> Self {
        Self {
            name: name.into(),
            kind: SpecKind::Attribute,
            fields: vec![("typeName", file.token(type_name))],
        }
    }

    /// A relationship to a prim.
    pub(super) fn relationship(name: &str, target: Value) -> Self {
        Self {
            name: name.into(),
            kind: SpecKind::Relationship,
            fields: vec![("variability", Value::uniform()), ("targetPaths", target)],
        }
    }

    /// The value at times that have no sample.
    pub(super) fn value(self, value: Value) -> Self {
        self.field("default", value)
    }

    /// A value that changes with time.
    pub(super) fn samples(self, samples: Value) -> Self {
        self.field("timeSamples", samples)
    }

    /// Says that the value never changes with time.
    pub(super) fn uniform(self) -> Self {
        self.field("variability", Value::uniform())
    }

    /// Takes the value from another attribute.
    pub(super) fn connected_to(self, target: Value) -> Self {
        self.field("connectionPaths", target)
    }

    /// Adds a field.
    pub(super) fn field(mut self, name: &'static str, value: Value) -> Self {
        self.fields.push((name, value));
        self
    }
}

/// A prim and everything below it.
pub(super) struct Prim {
    name: String,
    fields: Vec<(&'static str, Value)>,
    properties: Vec<Property>,
    children: Vec<Prim>,
}

impl Prim {
    /// A prim of a type, without anything.
    pub(super) fn new<W: Write + Seek>(
        file: &mut CrateFile<W>,
        type_name: &str,
        name: &str,
    ) -> Self {
        let type_name = file.token(type_name);
        Self {
            name: name.into(),
            fields: vec![("specifier", Value::definition()), ("typeName", type_name)],
            properties: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Adds a field.
    pub(super) fn field(&mut self, name: &'static str, value: Value) {
        self.fields.push((name, value));
    }

    /// Adds a property.
    pub(super) fn push(&mut self, property: Property) {
        self.properties.push(property);
    }

    /// Adds a prim below this one.
    pub(super) fn adopt(&mut self, child: Prim) {
        self.children.push(child);
    }

    fn path(&self, parent: &str) -> String {
        format!("{}/{}", parent.trim_end_matches('/'), self.name)
    }
}

/// The fields of a whole layer, and its one prim at the top.
pub(super) struct Layer {
    pub(super) fields: Vec<(&'static str, Value)>,
    pub(super) root: Prim,
}

/// A name in the tree of paths: a prim's or, with a negative number, a property's.
struct Node {
    path: u32,
    token: i32,
    children: Vec<Node>,
}

#[derive(Default)]
struct Tables {
    fields: Vec<(u32, Value)>,
    /// Numbers of fields; each spec's end with [`Self::END`].
    field_sets: Vec<u32>,
    specs: Vec<(u32, u32, SpecKind)>,
}

impl Tables {
    const END: u32 = u32::MAX;

    fn add_spec<W: Write + Seek>(
        &mut self,
        file: &mut CrateFile<W>,
        path: u32,
        kind: SpecKind,
        fields: &[(&str, Value)],
    ) {
        self.specs.push((path, self.field_sets.len() as u32, kind));
        for (name, value) in fields {
            self.field_sets.push(self.fields.len() as u32);
            self.fields.push((file.tokens.of(name), *value));
        }
        self.field_sets.push(Self::END);
    }

    fn add_prim<W: Write + Seek>(
        &mut self,
        file: &mut CrateFile<W>,
        prim: &Prim,
        parent: &str,
    ) -> io::Result<Node> {
        let path = prim.path(parent);
        let mut fields = prim.fields.clone();
        let names: Vec<&str> = prim.properties.iter().map(|p| p.name.as_str()).collect();
        if !names.is_empty() {
            fields.push(("properties", file.token_vector(&names)?));
        }
        let names: Vec<&str> = prim.children.iter().map(|p| p.name.as_str()).collect();
        if !names.is_empty() {
            fields.push(("primChildren", file.token_vector(&names)?));
        }
        let mut node = Node {
            path: file.paths.of(&path),
            token: file.tokens.of(&prim.name) as i32,
            children: Vec::new(),
        };
        self.add_spec(file, node.path, SpecKind::Prim, &fields);
        for property in &prim.properties {
            let below = Node {
                path: file.paths.of(&format!("{path}.{}", property.name)),
                token: -(file.tokens.of(&property.name) as i32),
                children: Vec::new(),
            };
            self.add_spec(file, below.path, property.kind, &property.fields);
            node.children.push(below);
        }
        for child in &prim.children {
            node.children.push(self.add_prim(file, child, &path)?);
        }
        Ok(node)
    }
}

/// The tree of paths as three lists, depth first.
#[derive(Default)]
struct PathLists {
    paths: Vec<i32>,
    tokens: Vec<i32>,
    /// -2 for a leaf without a next sibling, -1 where only children follow, 0 where only a sibling does, else the
    /// distance to the sibling behind the children.
    jumps: Vec<i32>,
}

impl PathLists {
    fn add(&mut self, node: &Node, has_sibling: bool) {
        let start = self.paths.len();
        self.paths.push(node.path as i32);
        self.tokens.push(node.token);
        self.jumps.push(0);
        for (index, child) in node.children.iter().enumerate() {
            self.add(child, index + 1 < node.children.len());
        }
        self.jumps[start] = match (node.children.is_empty(), has_sibling) {
            (true, false) => -2,
            (true, true) => 0,
            (false, false) => -1,
            (false, true) => (self.paths.len() - start) as i32,
        };
    }
}

/// Writes the tables of a layer and closes the file.
pub(super) fn finish<W: Write + Seek>(mut file: CrateFile<W>, layer: Layer) -> io::Result<W> {
    let mut tables = Tables::default();
    let mut fields = layer.fields;
    fields.push(("primChildren", file.token_vector(&[&layer.root.name])?));
    tables.add_spec(&mut file, 0, SpecKind::PseudoRoot, &fields);
    let node = Node {
        path: 0,
        token: 0,
        children: vec![tables.add_prim(&mut file, &layer.root, "/")?],
    };
    let mut lists = PathLists::default();
    lists.add(&node, false);
    debug_assert_eq!(
        lists.paths.len(),
        file.paths.texts().len(),
        "a relationship or a connection leads nowhere"
    );

    let mut contents = Contents::default();
    contents.section(&mut file, "TOKENS", |file| {
        let mut texts = Vec::new();
        for token in file.tokens.texts() {
            texts.extend(token.as_bytes());
            texts.push(0);
        }
        file.write_length(file.tokens.texts().len())?;
        file.write_length(texts.len())?;
        file.write_compressed(&texts)
    })?;
    contents.section(&mut file, "STRINGS", |file| {
        let strings = file.strings.clone();
        file.write_length(strings.len())?;
        file.write(bytemuck::cast_slice(&strings))
    })?;
    contents.section(&mut file, "FIELDS", |file| {
        file.write_length(tables.fields.len())?;
        file.write_integers(tables.fields.iter().map(|(token, _)| *token as i32))?;
        let values: Vec<u64> = tables.fields.iter().map(|(_, value)| value.0).collect();
        file.write_compressed(bytemuck::cast_slice(&values))
    })?;
    contents.section(&mut file, "FIELDSETS", |file| {
        file.write_length(tables.field_sets.len())?;
        file.write_integers(tables.field_sets.iter().map(|&field| field as i32))
    })?;
    contents.section(&mut file, "PATHS", |file| {
        // The number of paths, and that of the items in the lists, are the same.
        file.write_length(lists.paths.len())?;
        file.write_length(lists.paths.len())?;
        for list in [&lists.paths, &lists.tokens, &lists.jumps] {
            file.write_integers(list.iter().copied())?;
        }
        Ok(())
    })?;
    contents.section(&mut file, "SPECS", |file| {
        file.write_length(tables.specs.len())?;
        file.write_integers(tables.specs.iter().map(|spec| spec.0 as i32))?;
        file.write_integers(tables.specs.iter().map(|spec| spec.1 as i32))?;
        file.write_integers(tables.specs.iter().map(|spec| spec.2 as i32))
    })?;
    contents.write(file)
}

/// The table of contents: name, place and size of each section.
#[derive(Default)]
struct Contents {
    sections: Vec<(&'static str, u64, u64)>,
}

impl Contents {
    fn section<W: Write + Seek>(
        &mut self,
        file: &mut CrateFile<W>,
        name: &'static str,
        write: impl FnOnce(&mut CrateFile<W>) -> io::Result<()>,
    ) -> io::Result<()> {
        let start = file.position();
        write(file)?;
        self.sections.push((name, start, file.position() - start));
        Ok(())
    }

    fn write<W: Write + Seek>(self, mut file: CrateFile<W>) -> io::Result<W> {
        let place = file.position();
        file.write_length(self.sections.len())?;
        for (name, start, size) in self.sections {
            let mut padded = [0; 16];
            padded[..name.len()].copy_from_slice(name.as_bytes());
            file.write(&padded)?;
            file.write(&start.to_le_bytes())?;
            file.write(&size.to_le_bytes())?;
        }
        file.close(place)
    }
}
