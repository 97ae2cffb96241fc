//! The definitions.

use portreeve_channel::RELAY_SOCKET;

use super::{
    Kind, Opt, Section,
    rights::{ACCESS, CONTEXT, GROUP, VIEW},
    sessions::{SESSION_USER, SESSIONS, SSH, TLS, TLS_NAME},
};

/// All sections, in the order of the template.
pub static SECTIONS: &[&Section] = &[
    &AGENT,
    &SYSTEM,
    &LISTEN,
    &LIMITS,
    &SSH,
    &TLS,
    &TLS_NAME,
    &SESSIONS,
    &WEAK,
    &USER,
    &SESSION_USER,
    &COMMUNITY,
    &VIEW,
    &GROUP,
    &ACCESS,
    &CONTEXT,
];

/// `[agent]`
pub static AGENT: Section = Section {
    name: "agent",
    repeated: false,
    doc: "The SNMP engine itself. What is changed here needs a restart; a reload says so.",
    options: &[
        Opt {
            name: "engine-id",
            kind: Kind::Text,
            accepted: "5 to 32 octets in hexadecimal, not all 00 and not all ff",
            default: "generated at the first start and kept in state-dir",
            doc: "snmpEngineID. All localized keys depend on it.",
            example: r#""0x8000000005706f72747265657665""#,
        },
        Opt {
            name: "state-dir",
            kind: Kind::Text,
            accepted: "a directory; a relative one is looked up from this file",
            default: "/var/lib/portreeve",
            doc: "Where engineBoots, and whatever SNMP SET changes, is kept.",
            example: r#""/var/lib/portreeve""#,
        },
        Opt {
            name: "workers",
            kind: Kind::Number { min: 1, max: 256 },
            accepted: "1 to 256",
            default: "one for each core",
            doc: "Threads that handle messages.",
            example: "2",
        },
        Opt {
            name: "max-message-size",
            kind: Kind::Number { min: 484, max: 65_535 },
            accepted: "484 to 65535 octets",
            default: "65507",
            doc: "The longest message read or written.",
            example: "65507",
        },
    ],
};

/// `[system]`
pub static SYSTEM: Section = Section {
    name: "system",
    repeated: false,
    doc: "The system group of SNMPv2-MIB. What is given here cannot be changed by SET.",
    options: &[
        text(
            "contact",
            "nothing; SET may change it",
            "sysContact: who looks after this machine.",
            r#""noc@example.org""#,
        ),
        text("name", "the host's name; SET may change it", "sysName.", r#""gate1.example.org""#),
        text(
            "location",
            "nothing; SET may change it",
            "sysLocation: where the machine is.",
            r#""rack 4, room 12""#,
        ),
        text("descr", "the operating system's description of itself", "sysDescr.", r#""Border gateway""#),
        Opt {
            name: "object-id",
            kind: Kind::Text,
            accepted: OBJECT,
            default: "0.0",
            doc: "sysObjectID: what kind of machine this is, below an enterprise number of yours.",
            example: r#""1.3.6.1.4.1.99999.1""#,
        },
        Opt {
            name: "services",
            kind: Kind::Number { min: 0, max: 127 },
            accepted: "0 to 127",
            default: "64, applications",
            doc: "sysServices: the sum of 2^(layer-1) over the layers served.",
            example: "72",
        },
    ],
};

/// `[[listen]]`
pub static LISTEN: Section = Section {
    name: "listen",
    repeated: true,
    doc: "Where requests are taken; a change needs a restart. Without any: over UDP at every address.",
    options: &[
        Opt {
            name: "transport",
            kind: Kind::Text,
            accepted: r#""udp", "tcp", "ssh", "tls", "dtls" or "behind-sshd""#,
            default: r#""udp""#,
            doc: "Over what. behind-sshd: the SSH is done by this machine's sshd, whose subsystem portreeve-snmp(8) brings \
                  sessions to a Unix socket of ours; the user that sshd has logged in is the securityName.",
            example: r#""udp""#,
        },
        Opt {
            name: "address",
            kind: Kind::Text,
            accepted: r#"an IP address, with or without a port: "192.0.2.1", "192.0.2.1:161", "[::]:161""#,
            default: "every address of this machine",
            doc: "At which address; without a port it is 161, for ssh 5161, for tls and dtls 10161. 0.0.0.0 is every IPv4 address, \
                  [::] every IPv6 one.",
            example: r#""[::]:161""#,
        },
        Opt {
            name: "nodelay",
            kind: Kind::Switch,
            accepted: "true or false",
            default: "true",
            doc: "Whether what is written to a connection leaves at once (TCP_NODELAY). false is for measuring what it costs.",
            example: "true",
        },
        Opt {
            name: "window",
            kind: Kind::Text,
            accepted: r#""when-needed" or "every-message""#,
            default: r#""when-needed""#,
            doc: "For ssh: when peers are told that they may send more. every-message is for measuring what it costs.",
            example: r#""when-needed""#,
        },
        Opt {
            name: "path",
            kind: Kind::Text,
            accepted: "a path for a socket, in a directory where only we and root write; a relative one starts from this file",
            default: RELAY_SOCKET,
            doc: "Behind sshd: where the socket is made.",
            example: r#""/run/portreeve/snmp.sock""#,
        },
        Opt {
            name: "users",
            kind: Kind::List,
            accepted: r#"names of accounts of this machine; "*" alone for all"#,
            default: "with `group` all, else our own account and root",
            doc: "Behind sshd: whose processes are let in. The kernel says whose they are; rights are another matter, and \
                  come from [[session-user]].",
            example: r#"["ops"]"#,
        },
        Opt {
            name: "group",
            kind: Kind::Text,
            accepted: "the name of a group of this machine",
            default: "none: the socket's mode is 666 with `users`, else 600",
            doc: "Behind sshd: the only group whose members reach the socket, the mode of which is then 660.",
            example: r#""snmp""#,
        },
    ],
};

/// `[limits]`
pub static LIMITS: Section = Section {
    name: "limits",
    repeated: false,
    doc: "What peers may occupy; a change needs a restart. At a limit a source's oldest unauthenticated connection is closed.",
    options: &[
        Opt {
            name: "connections",
            kind: Kind::Number { min: 1, max: 1_000_000 },
            accepted: "1 to 1000000",
            default: "8192",
            doc: "Connections open at once.",
            example: "8192",
        },
        Opt {
            name: "connections-per-source",
            kind: Kind::Number { min: 1, max: 1_000_000 },
            accepted: "1 to 1000000",
            default: "256",
            doc: "Of these, from one IPv4 address or one IPv6 /64.",
            example: "256",
        },
        seconds("grace", "30", "How long a connection may take until its first message that is accepted."),
        seconds("idle", "600", "How long an accepted connection may stay silent."),
        seconds("stall", "30", "How long a peer may leave answers unread."),
        Opt {
            name: "community-datagram",
            kind: Kind::Number { min: 484, max: 65_535 },
            accepted: "484 to 65535 octets",
            default: "1472, one Ethernet frame",
            doc: "The longest answer to a read by community over UDP, where anybody can forge the address it goes to.",
            example: "1472",
        },
    ],
};

/// `[weak]`
pub static WEAK: Section = Section {
    name: "weak",
    repeated: false,
    doc: "Choices that protect little or nothing work only if they are allowed here, by name.",
    options: &[Opt {
        name: "allow",
        kind: Kind::List,
        accepted: r#"any of "communities", "noAuthNoPriv", "MD5", "SHA", "DES", "3DES""#,
        default: "[]",
        doc: "communities: SNMPv1 and v2c, in clear. noAuthNoPriv: users without a password. MD5, SHA: authentication \
              with broken hashes. DES, 3DES: encryption with short keys or blocks.",
        example: r#"["communities"]"#,
    }],
};

/// `[[user]]`
pub static USER: Section = Section {
    name: "user",
    repeated: true,
    doc: "A user of SNMPv3's User-based Security Model.",
    options: &[
        Opt {
            name: "name",
            kind: Kind::Text,
            accepted: NAME,
            default: "",
            doc: "The user's name, which is the securityName too.",
            example: r#""ops""#,
        },
        Opt {
            name: "auth",
            kind: Kind::Text,
            accepted: r#""SHA-512", "SHA-384", "SHA-256" or "SHA-224"; "SHA" and "MD5" if [weak] allows them"#,
            default: r#""SHA-256" where a pass phrase is given"#,
            doc: "How messages are authenticated.",
            example: r#""SHA-256""#,
        },
        pass_phrase("auth-pass", "The authentication pass phrase."),
        pass_file("auth-pass-file", "A file with the authentication pass phrase in its first line."),
        localized_key(
            "auth-key",
            "The authentication key, localized to engine-id, instead of a pass phrase.",
        ),
        Opt {
            name: "priv",
            kind: Kind::Text,
            accepted: r#""AES", "AES-192", "AES-256", "AES-192-C" or "AES-256-C"; "DES" and "3DES" if [weak] allows them"#,
            default: r#""AES" where a pass phrase is given"#,
            doc: "How messages are encrypted. -C is the key extension of Cisco's devices.",
            example: r#""AES""#,
        },
        pass_phrase("priv-pass", "The privacy pass phrase."),
        pass_file("priv-pass-file", "A file with the privacy pass phrase in its first line."),
        localized_key("priv-key", "The privacy key, localized to engine-id, instead of a pass phrase."),
        Opt {
            name: "level",
            kind: Kind::Text,
            accepted: r#""authPriv" or "authNoPriv"; "noAuthNoPriv" if [weak] allows it"#,
            default: "the highest that the user's keys make possible",
            doc: "The lowest level at which `access` is granted.",
            example: r#""authPriv""#,
        },
        ACCESS_SHORT,
        view_short(r#""all" at authPriv, else "restricted""#),
        CONTEXTS_SHORT,
    ],
};

/// `[[community]]`
pub static COMMUNITY: Section = Section {
    name: "community",
    repeated: true,
    doc: "A community of SNMPv1 and v2c: a password that everybody on the way can read.",
    options: &[
        Opt {
            name: "name",
            kind: Kind::Secret,
            accepted: "1 to 255 octets",
            default: "",
            doc: "The community string.",
            example: r#""mLh3xPq0""#,
        },
        Opt {
            name: "name-file",
            kind: Kind::Text,
            accepted: "a file; a relative one is looked up from this file",
            default: "",
            doc: "A file with the community string in its first line, instead of `name`.",
            example: r#""community""#,
        },
        Opt {
            name: "versions",
            kind: Kind::List,
            accepted: r#""v1" and "v2c""#,
            default: r#"["v2c"]"#,
            doc: "The versions that may use it.",
            example: r#"["v1", "v2c"]"#,
        },
        Opt {
            name: "security-name",
            kind: Kind::Text,
            accepted: NAME,
            default: "community-N, N counting the communities of this file from 1",
            doc: "Who the community stands for.",
            example: r#""poller""#,
        },
        Opt {
            name: "sources",
            kind: Kind::List,
            accepted: r#"networks and addresses: "192.0.2.0/24", "2001:db8::/32", "198.51.100.7""#,
            default: "anywhere",
            doc: "Where such messages may come from.",
            example: r#"["192.0.2.0/24"]"#,
        },
        Opt {
            name: "context",
            kind: Kind::Text,
            accepted: CONTEXT_NAME,
            default: r#""", the default context"#,
            doc: "The context that the community works in.",
            example: r#""""#,
        },
        ACCESS_SHORT,
        view_short(r#""restricted""#),
    ],
};

pub(super) const ACCESS_SHORT: Opt = Opt {
    name: "access",
    kind: Kind::Text,
    accepted: r#""read" or "write""#,
    default: "none, unless a [[group]] gives some",
    doc: "What is granted in `view`; write includes read.",
    example: r#""read""#,
};

pub(super) const CONTEXTS_SHORT: Opt = Opt {
    name: "contexts",
    kind: Kind::List,
    accepted: r#"names of [[context]]s, "" for the default one; "*" alone for all"#,
    default: r#"[""]"#,
    doc: "The contexts that `access` is granted in.",
    example: r#"["", "bridge1"]"#,
};

pub(super) const fn view_short(default: &'static str) -> Opt {
    Opt {
        name: "view",
        kind: Kind::Text,
        accepted: VIEW_NAME,
        default,
        doc: "The objects that `access` is granted to.",
        example: r#""all""#,
    }
}

const fn text(name: &'static str, default: &'static str, doc: &'static str, example: &'static str) -> Opt {
    Opt { name, kind: Kind::Text, accepted: "at most 255 octets of text", default, doc, example }
}

const fn seconds(name: &'static str, default: &'static str, doc: &'static str) -> Opt {
    let kind = Kind::Number { min: 1, max: 86_400 };
    Opt { name, kind, accepted: "1 to 86400 seconds", default, doc, example: default }
}

const fn pass_phrase(name: &'static str, doc: &'static str) -> Opt {
    let (accepted, example) = ("at least 8 octets", r#""correct horse battery""#);
    Opt { name, kind: Kind::Secret, accepted, default: "", doc, example }
}

const fn pass_file(name: &'static str, doc: &'static str) -> Opt {
    let (accepted, example) = ("a file; a relative one is looked up from this file", r#""ops.pass""#);
    Opt { name, kind: Kind::Text, accepted, default: "", doc, example }
}

const fn localized_key(name: &'static str, doc: &'static str) -> Opt {
    let accepted = "as many octets as the algorithm's key has, in hexadecimal";
    Opt { name, kind: Kind::Secret, accepted, default: "", doc, example: r#""0x…""# }
}

pub(super) const NAME: &str = "1 to 32 octets of text";
pub(super) const CONTEXT_NAME: &str = r#""" or the name of a [[context]]"#;
pub(super) const VIEW_NAME: &str = r#""all", "restricted" or the name of a [[view]]"#;
const OBJECT: &str = "an object identifier such as 1.3.6.1.4.1.99999.1, or an object's name";
