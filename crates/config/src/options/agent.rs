//! Definitions of the sections `[agent]`, `[system]` and `[log]`.

use super::section::{OptionDefinition, Section, ValueType};

/// The definition of the section `[agent]`.
pub static AGENT: Section = Section {
    name: "agent",
    repeated: false,
    doc: "The SNMP engine. Changes need a restart; a reload logs a warning.",
    options: &[
        OptionDefinition {
            name: "engine-id",
            kind: ValueType::Text,
            accepted: "5 to 32 octets in hexadecimal, not all 00 and not all ff",
            default: "generated at the first start and stored in state-dir",
            doc: "The snmpEngineID. All localized keys depend on it. If this option is set, the first start requires \
                  `portreeved run --first-start`.",
            example: r#""0x8000000005706f72747265657665""#,
        },
        OptionDefinition {
            name: "state-dir",
            kind: ValueType::Text,
            accepted: "a directory; a relative path starts from the directory of this file",
            default: "/var/lib/portreeve",
            doc: "Directory for snmpEngineBoots and everything that SNMP SET changes. The agent refuses a directory that \
                  other users can write to or replace.",
            example: r#""/var/lib/portreeve""#,
        },
        OptionDefinition {
            name: "workers",
            kind: ValueType::Number { min: 1, max: 256 },
            accepted: "1 to 256",
            default: "one per core",
            doc: "Number of threads that handle messages. An agent that listens on UDP and on other transports has so many \
                  threads for UDP, and as many for the others.",
            example: "2",
        },
        OptionDefinition {
            name: "max-message-size",
            kind: ValueType::Number { min: 484, max: 65_535 },
            accepted: "484 to 65535 octets",
            default: "65507",
            doc: "Maximum size of a message that is received or sent.",
            example: "65507",
        },
    ],
};

/// The definition of the section `[system]`.
pub static SYSTEM: Section = Section {
    name: "system",
    repeated: false,
    doc: "The system group of SNMPv2-MIB. SET cannot change values that are set here.",
    options: &[
        text(
            "contact",
            "empty; SET may change it",
            "sysContact: the person responsible for this machine.",
            r#""noc@example.org""#,
        ),
        text("name", "the host's name; SET may change it", "sysName.", r#""gate1.example.org""#),
        text(
            "location",
            "empty; SET may change it",
            "sysLocation: the physical location of the machine.",
            r#""rack 4, room 12""#,
        ),
        text("descr", "the name and version of the operating system", "sysDescr.", r#""Border gateway""#),
        OptionDefinition {
            name: "object-id",
            kind: ValueType::Text,
            accepted: OBJECT,
            default: "0.0",
            doc: "sysObjectID: the type of this machine, an OID below your enterprise number.",
            example: r#""1.3.6.1.4.1.99999.1""#,
        },
        OptionDefinition {
            name: "services",
            kind: ValueType::Number { min: 0, max: 127 },
            accepted: "0 to 127",
            default: "64, applications",
            doc: "sysServices: a number for the protocol layers that the machine serves: the sum of 2^(layer-1), for example 72 for layers 4 and 7.",
            example: "72",
        },
    ],
};

/// The definition of the section `[log]`.
pub static LOG: Section = Section {
    name: "log",
    repeated: false,
    doc: "The log on standard error.",
    options: &[OptionDefinition {
        name: "sets",
        kind: ValueType::Boolean,
        accepted: "true or false",
        default: "false",
        doc: "Log each SET, accepted or rejected: the user, the peer, the names of the first four variables, and the result, but \
              no values. At most 10 accepted and 10 rejected requests per second and thread are logged; the others are counted.",
        example: "true",
    }],
};

const fn text(
    name: &'static str,
    default: &'static str,
    doc: &'static str,
    example: &'static str,
) -> OptionDefinition {
    OptionDefinition {
        name,
        kind: ValueType::Text,
        accepted: "at most 255 octets of text",
        default,
        doc,
        example,
    }
}

const OBJECT: &str = "an object identifier such as 1.3.6.1.4.1.99999.1, or an object name";
