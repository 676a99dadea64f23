//! The parts of a glTF description that place triangles in space.

use serde::Deserialize;

/// The code of 32-bit floats.
pub(super) const COMPONENT_F32: u32 = 5126;

/// A glTF description.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
    scene: Option<usize>,
    #[serde(default)]
    scenes: Vec<Scene>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
}

#[derive(Debug, Deserialize)]
struct Scene {
    #[serde(default)]
    nodes: Vec<usize>,
}

/// A place in the tree of objects.
#[derive(Debug, Deserialize)]
pub(super) struct Node {
    pub(super) mesh: Option<usize>,
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) matrix: Option<[f64; 16]>,
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Mesh {
    #[serde(default)]
    pub(super) primitives: Vec<Primitive>,
}

/// Triangles (or lines or points) of one material.
#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<usize>,
    #[serde(default = "triangles_mode")]
    pub(super) mode: u32,
}

fn triangles_mode() -> u32 {
    4
}

#[derive(Debug, Deserialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<usize>,
}

/// An array of numbers or vectors in a view.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) sparse: Option<serde_json::Value>,
}

/// A stretch of a buffer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
}

impl Document {
    /// The roots of the default scene, else of the first one, else all nodes that are nobody's children.
    pub(super) fn root_nodes(&self) -> Result<Vec<usize>, String> {
        if let Some(index) = self.scene.or((!self.scenes.is_empty()).then_some(0)) {
            let scene = self
                .scenes
                .get(index)
                .ok_or(format!("scene {index} does not exist"))?;
            return Ok(scene.nodes.clone());
        }
        let mut is_child = vec![false; self.nodes.len()];
        for &child in self.nodes.iter().flat_map(|node| &node.children) {
            if let Some(is_child) = is_child.get_mut(child) {
                *is_child = true;
            }
        }
        Ok((0..self.nodes.len())
            .filter(|&index| !is_child[index])
            .collect())
    }
}
