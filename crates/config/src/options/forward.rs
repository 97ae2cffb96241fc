//! The definition of the section `[[forward]]`.

use super::{
    notify::OIDS,
    section::{OptionDefinition, Section, ValueType},
    session_keys::{
        AUTHORITIES, CERTIFICATE, KEY, KNOWN_HOSTS, SERVER_FINGERPRINT, SERVER_IDENTITY, SSH_KEY,
    },
    words::{FILE, NAME},
};

/// The definition of the section `[[forward]]`.
pub static FORWARD: Section = Section {
    name: "forward",
    repeated: true,
    doc: "A target to which notifications are forwarded, as far as [[accept]] permits the action \"forward\". They are sent in \
          the order in which they arrived, except informs that the target does not acknowledge although it acknowledges \
          others. While the target does not accept them, they wait in memory: a restart discards them. Discarded notifications are counted and logged.",
    options: &[
        OptionDefinition {
            name: "to",
            kind: ValueType::Text,
            accepted: r#""udp:ADDRESS", "tcp:ADDRESS", "ssh:[USER@]HOST", "tls:HOST" or "dtls:HOST", each with or without :PORT"#,
            default: "none: required",
            doc: "The transport and the address of the target. The default port is 162 for udp and tcp, 5162 for ssh, and \
                  10162 for tls and dtls. UDP and TCP need an IP address.",
            example: r#""tls:noc.example.org""#,
        },
        OptionDefinition {
            name: "notifications",
            kind: ValueType::List,
            accepted: OIDS,
            default: "all notifications",
            doc: "The subtrees of which one must contain the snmpTrapOID.",
            example: r#"["linkDown", "linkUp"]"#,
        },
        OptionDefinition {
            name: "kind",
            kind: ValueType::Text,
            accepted: r#""inform" or "trap""#,
            default: r#""inform", and "trap" with version = "v1""#,
            doc: "An inform is sent until the target acknowledges it, so that it can arrive more than once. A trap is sent once. \
                  With version = \"as-received\", traps of SNMPv1 are always sent as traps.",
            example: r#""inform""#,
        },
        OptionDefinition {
            name: "version",
            kind: ValueType::Text,
            accepted: r#""v3", "v2c", "v1" or "as-received""#,
            default: r#""v3""#,
            doc: "The version of the messages to the target; notifications of other versions are translated. With \
                  \"as-received\", the version and the community are those of the received message, and notifications over \
                  SNMPv3 are not forwarded. ssh, tls and dtls need v3.",
            example: r#""v3""#,
        },
        OptionDefinition {
            name: "user",
            kind: ValueType::Text,
            accepted: NAME,
            default: "over ssh, the user in `to`",
            doc: "Over udp and tcp with v3: the [[user]] whose keys protect the messages. Informs need a user with pass phrases. \
                  The engine of traps is this receiver. Over ssh: the login name.",
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
            doc: "The community of messages with v1 or v2c. It is not accepted unless a [[community]] has it.",
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
            doc: "The number of times that an inform is sent again before a pause of 1 s, which doubles up to 60 s. Then it is \
                  sent again.",
            example: "3",
        },
        OptionDefinition {
            name: "queue-size",
            kind: ValueType::Number { min: 65_536, max: 1_073_741_824 },
            accepted: "65536 to 1073741824 octets",
            default: "16777216",
            doc: "Maximum size of the notifications that wait for the target. New ones are discarded when it is reached. With \
                  version = \"as-received\", those of one community occupy at most half of it.",
            example: "16777216",
        },
        OptionDefinition {
            name: "queue-age",
            kind: ValueType::Number { min: 60, max: 2_592_000 },
            accepted: "60 to 2592000 seconds",
            default: "3600",
            doc: "The time after which a notification that the target has not accepted is discarded.",
            example: "3600",
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
