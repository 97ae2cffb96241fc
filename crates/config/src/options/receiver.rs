//! Definitions of the sections that only the receiver of notifications has.

use super::{
    section::{OptionDefinition, Section, ValueType},
    words::{FILE, NAME, name, switch},
};

/// The definition of the section `[receive]`.
pub static RECEIVE: Section = Section {
    name: "receive",
    repeated: false,
    doc: "The engine of the receiver, and its output. Changes need a restart.",
    options: &[
        OptionDefinition {
            name: "engine-id",
            kind: ValueType::Text,
            accepted: "5 to 32 octets in hexadecimal, not all 00 and not all ff",
            default: "generated at the first start and stored in state-dir",
            doc: "The snmpEngineID, to which senders of informs localize their keys.",
            example: r#""0x8000000005706f727472656576657464""#,
        },
        OptionDefinition {
            name: "state-dir",
            kind: ValueType::Text,
            accepted: "a directory; a relative path starts from the directory of this file",
            default: "/var/lib/portreeve/trapd",
            doc: "Directory for snmpEngineBoots and the clocks of the senders of traps. `portreeve trapd --forget-senders` removes \
                  only the clocks.",
            example: r#""/var/lib/portreeve/trapd""#,
        },
        OptionDefinition {
            name: "log",
            kind: ValueType::Text,
            accepted: FILE,
            default: "standard output",
            doc: "The file to which a line or more is appended for each notification, as -F says. It is opened again at \
                  SIGHUP.",
            example: r#""/var/log/portreeve/traps.log""#,
        },
        OptionDefinition {
            name: "json",
            kind: ValueType::Text,
            accepted: FILE,
            default: "none",
            doc: "The file to which one JSON object is appended as a line for each notification. It is opened again at \
                  SIGHUP.",
            example: r#""/var/log/portreeve/traps.jsonl""#,
        },
        OptionDefinition {
            name: "format",
            kind: ValueType::Text,
            accepted: "a format as in snmptrapd.conf(5)",
            default: "the lines that snmptrapd prints",
            doc: "The format of `log`; the option -F replaces it.",
            example: r#""%V\\n%y-%m-%l %H:%M:%S %B %N %w %q\\n""#,
        },
        switch(
            "journal",
            "false",
            "Also write each notification to the systemd journal, without its community.",
            "true",
        ),
        OptionDefinition {
            name: "journal-socket",
            kind: ValueType::Text,
            accepted: "a path; a relative path starts from the directory of this file",
            default: "/run/systemd/journal/socket",
            doc: "The socket of the journal, for example that of the host in a container.",
            example: r#""/run/systemd/journal/socket""#,
        },
        OptionDefinition {
            name: "queue-size",
            kind: ValueType::Number { min: 65_536, max: 1_073_741_824 },
            accepted: "65536 to 1073741824 octets",
            default: "67108864",
            doc: "Maximum memory of the notifications that wait until they are written. Others are discarded and counted; \
                  informs among them are not acknowledged.",
            example: "67108864",
        },
    ],
};

/// The definition of the section `[[accept]]`.
pub static ACCEPT: Section = Section {
    name: "accept",
    repeated: true,
    doc: "The notifications of a principal that are accepted. Without this section, none are. The actions of all sections \
          that apply to a notification are permitted.",
    options: &[
        name(
            "The securityName: the name of a [[user]], the security-name of a [[community]], the login name of an SSH user, or \
             the name that a [[tls.name]] assigns.",
            r#""traps""#,
        ),
        OptionDefinition {
            name: "model",
            kind: ValueType::Text,
            accepted: r#""usm", "tsm", "v2c" or "v1""#,
            default: r#""usm", "tsm", "v2c" and "v1""#,
            doc: "The security model that authenticates the principal.",
            example: r#""usm""#,
        },
        OptionDefinition {
            name: "level",
            kind: ValueType::Text,
            accepted: r#""authPriv", "authNoPriv" or "noAuthNoPriv""#,
            default: r#""authPriv"; "noAuthNoPriv" for v1 and v2c"#,
            doc: "The lowest security level of messages over SNMPv3.",
            example: r#""authPriv""#,
        },
        OptionDefinition {
            name: "sources",
            kind: ValueType::List,
            accepted: SOURCES,
            default: "all addresses",
            doc: "The addresses of the senders.",
            example: r#"["10.0.0.0/8"]"#,
        },
        OptionDefinition {
            name: "notifications",
            kind: ValueType::Text,
            accepted: "an object identifier or a name",
            default: "all notifications",
            doc: "The subtree that contains the snmpTrapOID.",
            example: r#""IF-MIB::linkDown""#,
        },
        OptionDefinition {
            name: "actions",
            kind: ValueType::List,
            accepted: r#"some of "log", "execute", "forward""#,
            default: r#"["log", "execute", "forward"]"#,
            doc: "The actions that are permitted for the notifications.",
            example: r#"["log"]"#,
        },
    ],
};

/// The definition of the section `[[sender]]`.
pub static SENDER: Section = Section {
    name: "sender",
    repeated: true,
    doc: "A [[user]] that exists on many senders of SNMPv3 traps. Each sender has its own engine ID, which need not be known: \
          the keys are localized to it after the digest of its first trap has been verified. Informs need no [[sender]].",
    options: &[
        OptionDefinition {
            name: "user",
            kind: ValueType::Text,
            accepted: NAME,
            default: "none: required",
            doc: "The name of a [[user]] with pass phrases.",
            example: r#""traps""#,
        },
        OptionDefinition {
            name: "sources",
            kind: ValueType::List,
            accepted: SOURCES,
            default: "all addresses",
            doc: "The addresses of the senders.",
            example: r#"["10.0.0.0/8"]"#,
        },
    ],
};

/// The definition of the section `[[handler]]`.
pub static HANDLER: Section = Section {
    name: "handler",
    repeated: true,
    doc: "A program that is run for each notification that matches. The handlers with the longest matching identifier run.",
    options: &[
        OptionDefinition {
            name: "notifications",
            kind: ValueType::Text,
            accepted: r#""default", or an object identifier or a name, also followed by * or .*"#,
            default: r#""default": those that match no other handler"#,
            doc: "The snmpTrapOID.",
            example: r#""IF-MIB::linkDown""#,
        },
        OptionDefinition {
            name: "command",
            kind: ValueType::List,
            accepted: "the absolute path of a program, and its arguments",
            default: "none: required",
            doc: "The program, which is run without a shell.",
            example: r#"["/usr/local/bin/page", "noc"]"#,
        },
        OptionDefinition {
            name: "input",
            kind: ValueType::Text,
            accepted: r#""text" or "json""#,
            default: r#""text""#,
            doc: "The standard input: the lines that traphandle programs of snmptrapd get, but with one line for each variable; or \
                  one line with the JSON object that `json` in [receive] writes.",
            example: r#""json""#,
        },
        OptionDefinition {
            name: "timeout",
            kind: ValueType::Number { min: 1, max: 3600 },
            accepted: "1 to 3600 seconds",
            default: "30",
            doc: "The time after which the program and all processes that it has started are killed.",
            example: "30",
        },
    ],
};

const SOURCES: &str = "networks, such as \"192.0.2.0/24\" or \"2001:db8::1\"";
