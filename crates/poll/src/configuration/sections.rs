//! The definitions of all sections and options of the configuration file.

use portreeve_config::options::{OptionDefinition, Section, ValueType};

/// All sections, in the order of the manual.
pub static SECTIONS: &[&Section] = &[&POLL, &PROMETHEUS, &CREDENTIALS, &OBJECTS, &TARGETS];

/// The section `[poll]`: the defaults of all targets.
pub static POLL: Section = Section {
    name: "poll",
    repeated: false,
    doc: "Defaults for all targets.",
    options: &[INTERVAL, TIMEOUT, WINDOW, PACE, VARIABLES],
};

/// The section `[prometheus]`: the HTTP endpoint.
pub static PROMETHEUS: Section = Section {
    name: "prometheus",
    repeated: false,
    doc: "Serves results to Prometheus over HTTP. HTTP clients are not authenticated. Therefore the poller sends \
          credentials only to the targets that use them, and to the agents that the lists below allow.",
    options: &[
        text("listen", "ADDRESS:PORT", "127.0.0.1:9116", "The address to listen on.", "\"127.0.0.1:9116\""),
        OptionDefinition {
            name: "targets",
            kind: ValueType::List,
            accepted: "networks such as 192.0.2.0/24 or 2001:db8::/32; addresses",
            default: "none: only configured targets",
            doc: "Networks of additional agents that `target=` may specify.",
            example: "[\"192.0.2.0/24\"]",
        },
        OptionDefinition {
            name: "credentials",
            kind: ValueType::List,
            accepted: "NAMEs of [credentials.NAME]",
            default: "none: only the credentials of the target",
            doc: "Additional credentials that `auth=` may specify.",
            example: "[\"public_v2\"]",
        },
        OptionDefinition {
            name: "hosts",
            kind: ValueType::List,
            accepted: "host names without a port",
            default: "none",
            doc: "Host names that clients may use for this endpoint, in addition to localhost and addresses. Requests with \
                  another name in the Host header are refused, because a web page could send them by DNS rebinding.",
            example: "[\"poller.example.net\"]",
        },
    ],
};

/// The section `[credentials.NAME]`: a community or a user.
pub static CREDENTIALS: Section = Section {
    name: "credentials.NAME",
    repeated: false,
    doc: "Credentials for agents. They are in separate sections, so that the rest of the file can be published.",
    options: &[
        text(
            "version",
            VERSIONS,
            "3",
            "The SNMP version. 1 and 2c send the community in cleartext.",
            "\"3\"",
        ),
        secret("community", "a string", "The community (SNMPv1 and v2c).", "\"public\""),
        text(
            "community-file",
            FILE_HELP,
            "none",
            "A file whose first line is the community.",
            "\"community\"",
        ),
        text("user", "1 to 32 octets", "none", "The user (SNMPv3).", "\"ops\""),
        text(
            "auth",
            AUTH_PROTOCOLS,
            "SHA-256, if there is a pass phrase",
            "The authentication protocol.",
            "\"SHA-256\"",
        ),
        secret(
            "auth-pass",
            PASS_PHRASE_HELP,
            "The user's authentication pass phrase.",
            "\"a long pass phrase\"",
        ),
        text(
            "auth-pass-file",
            FILE_HELP,
            "none",
            "A file whose first line is the authentication pass phrase.",
            "\"ops.auth\"",
        ),
        text("priv", PRIV_PROTOCOLS, "AES, if there is a pass phrase", "The privacy protocol.", "\"AES\""),
        secret("priv-pass", PASS_PHRASE_HELP, "The user's privacy pass phrase.", "\"another pass phrase\""),
        text(
            "priv-pass-file",
            FILE_HELP,
            "none",
            "A file whose first line is the privacy pass phrase.",
            "\"ops.priv\"",
        ),
    ],
};

/// The section `[objects.NAME]`: objects that are read together.
pub static OBJECTS: Section = Section {
    name: "objects.NAME",
    repeated: false,
    doc: "Objects to poll: at least one of `get` and `walk`.",
    options: &[
        optional_list(
            "get",
            "instances: names such as sysUpTime.0, or numbers such as 1.3.6.1.2.1.1.3.0",
            "Instances to read.",
            r#"["ifHCInOctets.1", "ifHCOutOctets.1"]"#,
        ),
        optional_list(
            "walk",
            "names or numbers of tables, columns or other subtrees",
            "Subtrees to walk.",
            r#"["ifTable", "ifXTable"]"#,
        ),
        optional_list(
            "labels",
            "names of columns",
            "For Prometheus: columns whose values become labels of the other metrics in the same row.",
            r#"["ifName", "ifAlias"]"#,
        ),
    ],
};

/// The section `[targets.NAME]`: one agent or several.
pub static TARGETS: Section = Section {
    name: "targets.NAME",
    repeated: false,
    doc: "One agent.",
    options: &[
        text("address", "[udp:]HOST[:PORT]", "none; required", "The agent's address.", "\"192.0.2.1\""),
        text(
            "credentials",
            "the NAME of a [credentials.NAME]",
            "none; required",
            "The credentials.",
            "\"ops\"",
        ),
        list("objects", "NAMEs of [objects.NAME]", "The objects to poll.", "[\"interfaces\"]"),
        text("context", "up to 255 octets", "the default context", "The context name (SNMPv3).", "\"\""),
        INTERVAL,
        TIMEOUT,
        WINDOW,
        PACE,
        VARIABLES,
    ],
};

const INTERVAL: OptionDefinition =
    number("interval", 1, 86_400, "1 to 86400 seconds", "60", "The time between polls.");
const TIMEOUT: OptionDefinition = number(
    "timeout-ms",
    10,
    600_000,
    "10 to 600000 milliseconds",
    "5000",
    "The time after which a request fails. Until then, it is retransmitted at intervals that depend on the measured round-trip time.",
);
const WINDOW: OptionDefinition =
    number("window", 1, 64, "1 to 64", "2", "The maximum number of requests in flight to one target.");
const PACE: OptionDefinition = number(
    "pace-ms",
    0,
    60_000,
    "0 to 60000 milliseconds",
    "0",
    "The minimum time between two messages to one target.",
);
const VARIABLES: OptionDefinition =
    number("variables", 1, 1000, "1 to 1000", "50", "The maximum number of objects in one message.");

const VERSIONS: &str = "1, 2c, 3";
const FILE_HELP: &str = "a file; relative paths start from the directory of this file";
const PASS_PHRASE_HELP: &str = "8 octets or more";
const AUTH_PROTOCOLS: &str = "MD5, SHA, SHA-224, SHA-256, SHA-384, SHA-512";
const PRIV_PROTOCOLS: &str = "DES, AES, AES-192, AES-256, AES-192-C, AES-256-C";

const fn text(
    name: &'static str,
    accepted: &'static str,
    default: &'static str,
    doc: &'static str,
    example: &'static str,
) -> OptionDefinition {
    OptionDefinition { name, kind: ValueType::Text, accepted, default, doc, example }
}

const fn secret(
    name: &'static str,
    accepted: &'static str,
    doc: &'static str,
    example: &'static str,
) -> OptionDefinition {
    OptionDefinition { name, kind: ValueType::Secret, accepted, default: "none", doc, example }
}

const fn list(
    name: &'static str,
    accepted: &'static str,
    doc: &'static str,
    example: &'static str,
) -> OptionDefinition {
    OptionDefinition { name, kind: ValueType::List, accepted, default: "none; required", doc, example }
}

const fn optional_list(
    name: &'static str,
    accepted: &'static str,
    doc: &'static str,
    example: &'static str,
) -> OptionDefinition {
    OptionDefinition { name, kind: ValueType::List, accepted, default: "none", doc, example }
}

const fn number(
    name: &'static str,
    min: u32,
    max: u32,
    accepted: &'static str,
    default: &'static str,
    doc: &'static str,
) -> OptionDefinition {
    OptionDefinition { name, kind: ValueType::Number { min, max }, accepted, default, doc, example: default }
}
