//! Materials that every program with USD knows: `UsdPreviewSurface`.

use std::io::{self, Seek, Write};

use glam::Vec3;

use super::crate_file::CrateFile;
use super::tree::{Prim, Property};
use super::value::Value;

/// What a body looks like, in the terms of UsdPreviewSurface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreviewSurface {
    /// Linear red, green and blue; of metals the reflectance.
    pub colour: Vec3,
    /// Roughness from 0 to 1.
    pub roughness: f32,
    /// 1 for metals, else 0.
    pub metallic: f32,
    /// Share of light that does not pass, from 0 to 1.
    pub opacity: f32,
    /// Refractive index.
    pub refractive_index: f32,
    /// Light given off, linear red, green and blue.
    pub emission: Vec3,
}

/// The prim of a material that lies in the scope at path `scope`.
pub(super) fn prim<W: Write + Seek>(
    file: &mut CrateFile<W>,
    scope: &str,
    name: &str,
    look: &PreviewSurface,
    vertex_colours: bool,
) -> io::Result<Prim> {
    let path = format!("{scope}/{name}");
    let mut material = Prim::new(file, "Material", name);
    let target = file.target(&format!("{path}/surface.outputs:surface"))?;
    material.push(Property::attribute(file, "token", "outputs:surface").connected_to(target));

    let mut surface = shader(file, "surface", "UsdPreviewSurface");
    let mut diffuse = Property::attribute(file, "color3f", "inputs:diffuseColor")
        .value(file.vector(look.colour)?);
    if vertex_colours {
        diffuse = diffuse.connected_to(file.target(&format!("{path}/colour.outputs:result"))?);
    }
    surface.push(diffuse);
    let emission = file.vector(look.emission)?;
    surface.push(Property::attribute(file, "color3f", "inputs:emissiveColor").value(emission));
    for (input, number) in [
        ("inputs:roughness", look.roughness),
        ("inputs:metallic", look.metallic),
        ("inputs:opacity", look.opacity),
        ("inputs:ior", look.refractive_index),
    ] {
        surface.push(Property::attribute(file, "float", input).value(Value::float(number)));
    }
    surface.push(Property::attribute(file, "token", "outputs:surface"));
    material.adopt(surface);
    if vertex_colours {
        material.adopt(colour_reader(file, look.colour)?);
    }
    Ok(material)
}

fn shader<W: Write + Seek>(file: &mut CrateFile<W>, name: &str, identity: &str) -> Prim {
    let mut shader = Prim::new(file, "Shader", name);
    let identity = file.token(identity);
    shader.push(
        Property::attribute(file, "token", "info:id")
            .uniform()
            .value(identity),
    );
    shader
}

/// Hands the colours of a mesh's vertices to its material.
fn colour_reader<W: Write + Seek>(file: &mut CrateFile<W>, otherwise: Vec3) -> io::Result<Prim> {
    let mut reader = shader(file, "colour", "UsdPrimvarReader_float3");
    let name = file.string("displayColor");
    reader.push(Property::attribute(file, "string", "inputs:varname").value(name));
    let otherwise = file.vector(otherwise)?;
    reader.push(Property::attribute(file, "float3", "inputs:fallback").value(otherwise));
    reader.push(Property::attribute(file, "float3", "outputs:result"));
    Ok(reader)
}
