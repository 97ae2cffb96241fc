//! Options that several sections share, and descriptions of accepted values.

use super::section::{OptionDefinition, ValueType};

/// Returns the definition of the option `name`.
pub(super) const fn name(doc: &'static str, example: &'static str) -> OptionDefinition {
    OptionDefinition { name: "name", kind: ValueType::Text, accepted: NAME, default: "", doc, example }
}

pub(super) const fn context(doc: &'static str) -> OptionDefinition {
    let default = r#""", the default context"#;
    OptionDefinition {
        name: "context",
        kind: ValueType::Text,
        accepted: CONTEXT_NAME,
        default,
        doc,
        example: r#""""#,
    }
}

pub(super) const fn switch(
    name: &'static str,
    default: &'static str,
    doc: &'static str,
    example: &'static str,
) -> OptionDefinition {
    OptionDefinition { name, kind: ValueType::Boolean, accepted: "true or false", default, doc, example }
}

pub(super) const NAME: &str = "1 to 32 octets of text";
pub(super) const CONTEXT_NAME: &str = r#""" or the name of a [[context]]"#;
pub(super) const VIEW_NAME: &str = r#""all", "restricted" or the name of a [[view]]"#;
pub(super) const FILE: &str = "a file; a relative path starts from the directory of this file";
