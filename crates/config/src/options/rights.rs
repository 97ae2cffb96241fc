//! Definitions of the sections of access control.

use super::{
    section::{OptionDefinition, Section, ValueType},
    words::{VIEW_NAME, context, name},
};

/// The definition of the section `[[view]]`.
pub static VIEW: Section = Section {
    name: "view",
    repeated: true,
    doc: "A set of objects. Two views are predefined: `all` contains every object; `restricted` contains every object except \
          the tables of users, communities, certificates, access rights, targets and notifications.",
    options: &[
        name("The view's name.", r#""interfaces""#),
        OptionDefinition {
            name: "include",
            kind: ValueType::List,
            accepted: SUBTREES,
            default: "[]",
            doc: "Subtrees in the view. If several subtrees contain an object, the longest one decides.",
            example: r#"["system", "ifMIB", "ifEntry.*.1"]"#,
        },
        OptionDefinition {
            name: "exclude",
            kind: ValueType::List,
            accepted: SUBTREES,
            default: "[]",
            doc: "Subtrees that are not in the view.",
            example: r#"["ifPhysAddress"]"#,
        },
    ],
};

/// The definition of the section `[[group]]`.
pub static GROUP: Section = Section {
    name: "group",
    repeated: true,
    doc: "Principals with the same rights (vacmSecurityToGroupTable). Needed only if the option `access` of a user is not \
          sufficient.",
    options: &[
        name("The group's name.", r#""operators""#),
        OptionDefinition {
            name: "members",
            kind: ValueType::List,
            accepted: r#"securityNames with their security model: "usm:ops", "v2c:poller", "v1:poller", "tsm:ops""#,
            default: "[]",
            doc: "The members. A principal can be a member of only one group.",
            example: r#"["usm:ops", "usm:night"]"#,
        },
    ],
};

/// The definition of the section `[[access]]`.
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
            doc: "The group that gets the rights.",
            example: r#""operators""#,
        },
        context(
            "The name of the context in which these rights apply, or the beginning of the names of several contexts.",
        ),
        OptionDefinition {
            name: "context-match",
            kind: ValueType::Text,
            accepted: r#""exact" or "prefix""#,
            default: r#""exact""#,
            doc: "`exact`: the context name must equal `context`. `prefix`: it must start with `context`.",
            example: r#""exact""#,
        },
        OptionDefinition {
            name: "model",
            kind: ValueType::Text,
            accepted: r#""any", "v1", "v2c", "usm" or "tsm""#,
            default: r#""any""#,
            doc: "The security model with which these rights apply.",
            example: r#""usm""#,
        },
        OptionDefinition {
            name: "level",
            kind: ValueType::Text,
            accepted: r#""authPriv" or "authNoPriv"; "noAuthNoPriv" if [weak] allows it"#,
            default: r#""authPriv"; "noAuthNoPriv" for the models v1 and v2c"#,
            doc: "The minimum security level at which these rights apply.",
            example: r#""authPriv""#,
        },
        view_name("read", "View of the objects that may be read."),
        view_name("write", "View of the objects that may be written."),
        view_name(
            "notify",
            "View of the notifications that may be sent to the members of the group, and of the objects in them.",
        ),
    ],
};

/// The definition of the section `[[context]]`.
pub static CONTEXT: Section = Section {
    name: "context",
    repeated: true,
    doc: "A context in addition to the default one.",
    options: &[name("The context's name.", r#""bridge1""#)],
};

const fn view_name(name: &'static str, doc: &'static str) -> OptionDefinition {
    OptionDefinition {
        name,
        kind: ValueType::Text,
        accepted: VIEW_NAME,
        default: "none",
        doc,
        example: r#""all""#,
    }
}

const SUBTREES: &str =
    r#"object identifiers or names: "1.3.6.1.2.1", "system", "IF-MIB::ifTable"; * matches any number"#;
