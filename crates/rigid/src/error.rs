//! What a scene can ask of bodies that cannot be.

use thiserror::Error;

/// Why bodies and joints cannot be set up; each names the one at fault.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RigidError {
    /// The shape of a body encloses nothing, or has no end.
    #[error(
        "body `{body}` has a shape without a finite volume; give it one that is bounded and encloses some"
    )]
    NoVolume {
        /// The body.
        body: String,
    },
    /// The plane of a flat scene does not cut a body.
    #[error("body `{body}` does not reach the plane of the flat scene; move it there")]
    OutOfPlane {
        /// The body.
        body: String,
    },
    /// Mass or density is nothing that a body can have.
    #[error("body `{body}`: {quantity} is {value}, and must be finite and above 0")]
    Mass {
        /// The body.
        body: String,
        /// Mass or density.
        quantity: &'static str,
        /// What it is.
        value: f64,
    },
    /// The moments of inertia are nothing that a body can have.
    #[error("body `{body}` is so thin or small that its moments of inertia are not above 0")]
    Inertia {
        /// The body.
        body: String,
    },
    /// A property is out of range.
    #[error("body `{body}`: {quantity} is {value}, and must be {allowed}")]
    Property {
        /// The body.
        body: String,
        /// Which property.
        quantity: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        allowed: &'static str,
    },
    /// The motion of a body changes its size.
    #[error("body `{body}` has a scale of {scale} at t = {time} s; bodies keep a scale of 1")]
    Scale {
        /// The body.
        body: String,
        /// What its scale is.
        scale: f32,
        /// When.
        time: f64,
    },
    /// The shape could not be made into one that collides.
    #[error("{solid} `{name}` has a shape that cannot collide: {reason}")]
    Shape {
        /// A body or a collider.
        solid: &'static str,
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// Two solids have the same name.
    #[error("two solids are named `{name}`; give them different names")]
    SameName {
        /// The name.
        name: String,
    },
    /// A joint holds something that is not there.
    #[error("joint `{joint}` holds `{end}`, but no body or collider has that name")]
    UnknownEnd {
        /// The joint.
        joint: String,
        /// What it is to hold.
        end: String,
    },
    /// A joint holds no body.
    #[error(
        "joint `{joint}` holds no body, and would do nothing; at least one of its ends must be a body"
    )]
    NoBody {
        /// The joint.
        joint: String,
    },
    /// A joint holds a solid to itself.
    #[error("joint `{joint}` holds `{end}` to itself; give it two different ends")]
    OneEnd {
        /// The joint.
        joint: String,
        /// Both of its ends.
        end: String,
    },
    /// A number of a joint is out of range.
    #[error("joint `{joint}`: {quantity} is {value}, and must be {allowed}")]
    Joint {
        /// The joint.
        joint: String,
        /// Which number.
        quantity: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        allowed: &'static str,
    },
    /// A rope does not reach from one of its ends to the other.
    #[error(
        "joint `{joint}` is a rope of {length} m, but what hangs on it starts {} m from its anchor; make it longer, or move one of them",
        three_digits(*distance)
    )]
    ShortRope {
        /// The joint.
        joint: String,
        /// The length of the rope.
        length: f64,
        /// How long it would have to be.
        distance: f64,
    },
    /// Two solids are inside one another where one of them becomes free.
    #[error(
        "bodies {} `{body}` and `{other}` are {} m deep inside one another (at most {} m is allowed); move one of them, or join them",
        apart(*time),
        three_digits(*depth),
        three_digits(*tolerance)
    )]
    Overlap {
        /// A body.
        body: String,
        /// A body or a collider.
        other: String,
        /// When: at the start, or when the body is released.
        time: f64,
        /// How deep.
        depth: f64,
        /// How deep they may be.
        tolerance: f64,
    },
    /// A body is beyond a wall where it becomes free.
    #[error(
        "body `{body}` is {} m beyond the {side} side of the domain{}, which is closed (at most {} m is allowed); move it inwards",
        three_digits(*depth),
        when_released(*time),
        three_digits(*tolerance)
    )]
    Outside {
        /// The body.
        body: String,
        /// The side.
        side: &'static str,
        /// When: at the start, or when it is released.
        time: f64,
        /// How far.
        depth: f64,
        /// How far it may be.
        tolerance: f64,
    },
}

/// What is asked of bodies at a time, before what is wrong with it.
fn apart(time: f64) -> String {
    if time > 0.0 {
        format!("are apart where they are released, but at t = {time} s")
    } else {
        "start apart, but".into()
    }
}

/// When a body is somewhere, unless it is at the start.
fn when_released(time: f64) -> String {
    if time > 0.0 {
        format!(" when it is released, at t = {time} s")
    } else {
        String::new()
    }
}

/// A length as people write it.
fn three_digits(length: f64) -> f64 {
    let digits = 2.0 - length.abs().log10().floor();
    if !digits.is_finite() {
        return length;
    }
    let unit = 10f64.powf(digits);
    (length * unit).round() / unit
}
