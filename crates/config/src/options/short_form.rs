//! Options of the short form: rights that are set in a user or a community, without a [[group]].

use super::{
    section::{OptionDefinition, ValueType},
    words::VIEW_NAME,
};

pub(super) const ACCESS_SHORT: OptionDefinition = OptionDefinition {
    name: "access",
    kind: ValueType::Text,
    accepted: r#""read" or "write""#,
    default: "none, unless a [[group]] grants access",
    doc: "The access granted to the objects of `view`; write includes read.",
    example: r#""read""#,
};

pub(super) const CONTEXTS_SHORT: OptionDefinition = OptionDefinition {
    name: "contexts",
    kind: ValueType::List,
    accepted: r#"names of [[context]]s, "" for the default one; "*" alone for all"#,
    default: r#"[""]"#,
    doc: "The contexts in which `access` is granted.",
    example: r#"["", "bridge1"]"#,
};

pub(super) const fn view_short(default: &'static str) -> OptionDefinition {
    OptionDefinition {
        name: "view",
        kind: ValueType::Text,
        accepted: VIEW_NAME,
        default,
        doc: "The objects to which `access` applies.",
        example: r#""all""#,
    }
}
