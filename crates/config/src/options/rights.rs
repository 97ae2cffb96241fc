//! The definitions of what access control is made of.

use super::{
    section::{OptionDefinition, Section, ValueType},
    words::{VIEW_NAME, context, name},
};

/// `[[view]]`
pub static VIEW: Section = Section {
    name: "view",
    repeated: true,
    doc: "Which objects can be seen. There are already: all, which is everything, and restricted, everything but the \
          tables of users, communities, certificates, access rights, targets and notifications.",
    options: &[
        name("The view's name.", r#""interfaces""#),
        OptionDefinition {
            name: "include",
            kind: ValueType::List,
            accepted: SUBTREES,
            default: "[]",
            doc: "Subtrees that are seen. Of several that hold an object the longest decides.",
            example: r#"["system", "ifMIB", "ifEntry.*.1"]"#,
        },
        OptionDefinition {
            name: "exclude",
            kind: ValueType::List,
            accepted: SUBTREES,
            default: "[]",
            doc: "Subtrees that are not.",
            example: r#"["ifPhysAddress"]"#,
        },
    ],
};

/// `[[group]]`
pub static GROUP: Section = Section {
    name: "group",
    repeated: true,
    doc: "Principals with the same rights (vacmSecurityToGroupTable), where `access` beside a user does not do.",
    options: &[
        name("The group's name.", r#""operators""#),
        OptionDefinition {
            name: "members",
            kind: ValueType::List,
            accepted: r#"securityNames with their model in front: "usm:ops", "v2c:poller", "v1:poller", "tsm:ops""#,
            default: "[]",
            doc: "Who is in it. Nobody is in two groups.",
            example: r#"["usm:ops", "usm:night"]"#,
        },
    ],
};

/// `[[access]]`
pub static ACCESS: Section = Section {
    name: "access",
    repeated: true,
    doc: "Rights of a group (vacmAccessTable).",
    options: &[
        OptionDefinition {
            name: "group",
            kind: ValueType::Text,
            accepted: "the name of a [[group]]",
            default: "",
            doc: "Whose rights.",
            example: r#""operators""#,
        },
        context("In which context."),
        OptionDefinition {
            name: "context-match",
            kind: ValueType::Text,
            accepted: r#""exact" or "prefix""#,
            default: r#""exact""#,
            doc: "Whether `context` is the whole name or what it begins with.",
            example: r#""exact""#,
        },
        OptionDefinition {
            name: "model",
            kind: ValueType::Text,
            accepted: r#""any", "v1", "v2c", "usm" or "tsm""#,
            default: r#""any""#,
            doc: "Under which security model.",
            example: r#""usm""#,
        },
        OptionDefinition {
            name: "level",
            kind: ValueType::Text,
            accepted: r#""authPriv" or "authNoPriv"; "noAuthNoPriv" if [weak] allows it"#,
            default: r#""authPriv"; "noAuthNoPriv" for the models v1 and v2c"#,
            doc: "The lowest level that will do.",
            example: r#""authPriv""#,
        },
        view_name("read", "What may be read."),
        view_name("write", "What may be written."),
        view_name("notify", "What may be notified of."),
    ],
};

/// `[[context]]`
pub static CONTEXT: Section = Section {
    name: "context",
    repeated: true,
    doc: "A context beside the default one.",
    options: &[name("The context's name.", r#""bridge1""#)],
};

const fn view_name(name: &'static str, doc: &'static str) -> OptionDefinition {
    OptionDefinition {
        name,
        kind: ValueType::Text,
        accepted: VIEW_NAME,
        default: "nothing",
        doc,
        example: r#""all""#,
    }
}

const SUBTREES: &str =
    r#"object identifiers or names: "1.3.6.1.2.1", "system", "IF-MIB::ifTable"; a * stands for any number"#;
