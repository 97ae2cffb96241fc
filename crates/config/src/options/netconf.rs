//! Definitions of the sections `[netconf]` and `[yang]`.

use super::section::{OptionDefinition, Section, ValueType};

/// The definition of the section `[netconf]`.
pub static NETCONF: Section = Section {
    name: "netconf",
    repeated: false,
    doc: "NETCONF over SSH (RFC 6242). If this section exists, the SSH listeners offer the subsystem netconf, with the logins and \
          limits of SNMP over SSH. A [[session-user]] with access = \"read\" can read everything except secrets. With \
          access = \"write\" it can also change everything that is not protected. Both require the view \"all\" or the default \
          view: a smaller view grants nothing over NETCONF. A reload changes `recovery`; the other options need a restart.",
    options: &[
        OptionDefinition {
            name: "recovery",
            kind: ValueType::List,
            accepted: "names of users that log in over SSH",
            default: "[]",
            doc: "Users that may read and change everything over NETCONF, regardless of their rights. They need no \
                  [[session-user]].",
            example: r#"["root"]"#,
        },
        OptionDefinition {
            name: "lock-idle",
            kind: ValueType::Number { min: 1, max: 86_400 },
            accepted: "1 to 86400 seconds",
            default: "600",
            doc: "Maximum idle time of a session that holds a lock. Sessions without locks may be idle for any time.",
            example: "600",
        },
        OptionDefinition {
            name: "sessions",
            kind: ValueType::Number { min: 1, max: 10_000 },
            accepted: "1 to 10000",
            default: "1000",
            doc: "Maximum number of NETCONF sessions. They also count as connections in [limits].",
            example: "1000",
        },
    ],
};

/// The definition of the section `[yang]`.
pub static YANG: Section = Section {
    name: "yang",
    repeated: false,
    doc: "YANG modules of your own, which the agent serves in addition to those that it contains. Changes need a restart.",
    options: &[OptionDefinition {
        name: "modules",
        kind: ValueType::List,
        accepted: "YANG files; relative paths start from the directory of this file",
        default: "[]",
        doc: "Modules to serve by NETCONF. Nodes with an smiv2:oid statement (RFC 6643) are also served by SNMP. Modules that a \
              module imports are searched in its directory. `portreeved check` lists the nodes that SNMP cannot show.",
        example: r#"["stair.yang"]"#,
    }],
};
