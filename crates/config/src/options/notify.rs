//! Definitions of the sections `[notifications]` and `[[notify]]`.

use super::{
    section::{OptionDefinition, Section, ValueType},
    session_keys::{
        AUTHORITIES, CERTIFICATE, KEY, KNOWN_HOSTS, SERVER_FINGERPRINT, SERVER_IDENTITY, SSH_KEY,
    },
    words::{FILE, NAME, VIEW_NAME, name},
};

/// The definition of the section `[notifications]`.
pub static NOTIFICATIONS: Section = Section {
    name: "notifications",
    repeated: false,
    doc: "The notifications that the agent sends. coldStart, warmStart, linkUp and linkDown are always sent, as far as the \
          targets may receive them.",
    options: &[
        OptionDefinition {
            name: "authentication-failures",
            kind: ValueType::Boolean,
            accepted: "true or false",
            default: "false; SET may change it",
            doc: "snmpEnableAuthenTraps: send authenticationFailure for messages with a wrong community, user or key.",
            example: "true",
        },
        OptionDefinition {
            name: "authentication-failure-rate",
            kind: ValueType::Number { min: 1, max: 1000 },
            accepted: "1 to 1000 per second",
            default: "1",
            doc: "Maximum number of authenticationFailure notifications per second. A change needs a restart.",
            example: "1",
        },
    ],
};

/// The definition of the section `[[notify]]`.
pub static NOTIFY: Section = Section {
    name: "notify",
    repeated: true,
    doc: "A target of notifications: the rows of snmpTargetAddrTable, snmpTargetParamsTable and snmpNotifyTable that it \
          needs, and everything else that the agent needs to reach it.",
    options: &[
        name("The name of the target: snmpTargetAddrName, and its name in `portreeved status`.", r#""noc""#),
        OptionDefinition {
            name: "to",
            kind: ValueType::Text,
            accepted: r#""udp:ADDRESS", "tcp:ADDRESS", "ssh:[USER@]HOST", "tls:HOST" or "dtls:HOST", each with or without :PORT"#,
            default: "none: required",
            doc: "The transport and the address of the receiver. The default port is 162 for udp and tcp, 5162 for ssh, and \
                  10162 for tls and dtls. UDP and TCP need an IP address.",
            example: r#""ssh:agent1@noc.example.org""#,
        },
        OptionDefinition {
            name: "kind",
            kind: ValueType::Text,
            accepted: r#""inform" or "trap""#,
            default: r#""inform", and "trap" with version = "v1""#,
            doc: "An inform is stored on disk and sent until the receiver acknowledges it. A trap is sent once.",
            example: r#""inform""#,
        },
        OptionDefinition {
            name: "version",
            kind: ValueType::Text,
            accepted: r#""v3", "v2c" or "v1""#,
            default: r#""v3""#,
            doc: "The version of the messages. ssh, tls and dtls need v3.",
            example: r#""v3""#,
        },
        OptionDefinition {
            name: "user",
            kind: ValueType::Text,
            accepted: NAME,
            default: "over ssh, the user in `to`; over tls and dtls, the name of the target",
            doc: "Over udp and tcp with v3: the [[user]] whose keys protect the messages. Over ssh, tls and dtls: the name by \
                  which notify views judge what the target may receive, and over ssh also the login name.",
            example: r#""traps""#,
        },
        OptionDefinition {
            name: "level",
            kind: ValueType::Text,
            accepted: r#""authPriv", "authNoPriv" or "noAuthNoPriv""#,
            default: r#""authPriv""#,
            doc: "The security level of messages over udp and tcp with v3.",
            example: r#""authPriv""#,
        },
        OptionDefinition {
            name: "community",
            kind: ValueType::Secret,
            accepted: "a string of 1 to 255 octets",
            default: "none",
            doc: "The community of messages with v1 or v2c. It is not accepted in requests unless a [[community]] has it.",
            example: r#""public""#,
        },
        OptionDefinition {
            name: "community-file",
            kind: ValueType::Text,
            accepted: FILE,
            default: "none",
            doc: "The file whose first line is the community.",
            example: r#""noc.community""#,
        },
        OptionDefinition {
            name: "include",
            kind: ValueType::List,
            accepted: OIDS,
            default: "all notifications",
            doc: "The notifications and objects that the target receives: the snmpTrapOID must be in one of these subtrees.",
            example: r#"["linkDown", "linkUp"]"#,
        },
        OptionDefinition {
            name: "exclude",
            kind: ValueType::List,
            accepted: OIDS,
            default: "none",
            doc: "The notifications that the target does not receive, also if they contain an object in one of these \
                  subtrees. The longest matching subtree of `include` and `exclude` decides.",
            example: r#"["authenticationFailure"]"#,
        },
        OptionDefinition {
            name: "view",
            kind: ValueType::Text,
            accepted: VIEW_NAME,
            default: r#""all", or "restricted" if the messages are not encrypted"#,
            doc: "The notify view: the notifications and objects that the target may receive. It is set here only if the \
                  user has no rights of its own.",
            example: r#""restricted""#,
        },
        OptionDefinition {
            name: "timeout",
            kind: ValueType::Number { min: 1, max: 300 },
            accepted: "1 to 300 seconds",
            default: "5",
            doc: "The time after which an inform that is not acknowledged is sent again.",
            example: "5",
        },
        OptionDefinition {
            name: "retries",
            kind: ValueType::Number { min: 0, max: 255 },
            accepted: "0 to 255",
            default: "3",
            doc: "The number of times that an inform is sent again before the agent pauses. After a pause of 1 s, which \
                  doubles up to 60 s, it is sent again.",
            example: "3",
        },
        OptionDefinition {
            name: "queue-size",
            kind: ValueType::Number { min: 65_536, max: 1_073_741_824 },
            accepted: "65536 to 1073741824 octets",
            default: "16777216",
            doc: "Maximum size of the informs that wait for the target. New informs are discarded and counted when it is \
                  reached.",
            example: "16777216",
        },
        OptionDefinition {
            name: "queue-age",
            kind: ValueType::Number { min: 60, max: 2_592_000 },
            accepted: "60 to 2592000 seconds",
            default: "86400",
            doc: "The time after which an inform that was not acknowledged is discarded and counted.",
            example: "86400",
        },
        OptionDefinition {
            name: "fallback",
            kind: ValueType::Text,
            accepted: "the name of another [[notify]]",
            default: "none",
            doc: "The target that also gets the notifications that this one does not accept: informs that it has not \
                  acknowledged after all retries, and traps that could not be sent. A target that is the fallback of \
                  another one receives nothing else.",
            example: r#""noc2""#,
        },
        SSH_KEY,
        KNOWN_HOSTS,
        CERTIFICATE,
        KEY,
        AUTHORITIES,
        SERVER_FINGERPRINT,
        SERVER_IDENTITY,
    ],
};

pub(super) const OIDS: &str = "object identifiers, such as \"1.3.6.1.6.3.1.1.5\" or \"IF-MIB::linkDown\"";
