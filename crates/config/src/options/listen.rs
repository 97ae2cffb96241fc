//! The definitions of where requests come in, and what peers may occupy.

use portreeve_channel::DEFAULT_RELAY_SOCKET;

use super::{
    section::{OptionDefinition, Section, ValueType},
    words::switch,
};

/// `[[listen]]`
pub static LISTEN: Section = Section {
    name: "listen",
    repeated: true,
    doc: "Where requests are taken; a change needs a restart. Without any: over UDP at every address.",
    options: &[
        OptionDefinition {
            name: "transport",
            kind: ValueType::Text,
            accepted: r#""udp", "tcp", "ssh", "tls", "dtls" or "behind-sshd""#,
            default: r#""udp""#,
            doc: "Over what. behind-sshd: the SSH is done by this machine's sshd, whose subsystem portreeve-snmp(8) brings \
                  sessions to a Unix socket of ours; the user that sshd has logged in is the securityName.",
            example: r#""udp""#,
        },
        OptionDefinition {
            name: "address",
            kind: ValueType::Text,
            accepted: r#"an IP address, with or without a port: "192.0.2.1", "192.0.2.1:161", "[::]:161""#,
            default: "every address of this machine",
            doc: "At which address; without a port it is 161, for ssh 5161, for tls and dtls 10161. 0.0.0.0 is every IPv4 address, \
                  [::] every IPv6 one.",
            example: r#""[::]:161""#,
        },
        switch(
            "nodelay",
            "true",
            "Whether what is written to a connection leaves at once (TCP_NODELAY). false is for measuring what it costs.",
            "true",
        ),
        OptionDefinition {
            name: "window",
            kind: ValueType::Text,
            accepted: r#""when-needed" or "every-message""#,
            default: r#""when-needed""#,
            doc: "For ssh: when peers are told that they may send more. every-message is for measuring what it costs.",
            example: r#""when-needed""#,
        },
        OptionDefinition {
            name: "key-exchanges",
            kind: ValueType::List,
            accepted: r#"some of "mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org""#,
            default: "all of them",
            doc: "For ssh: how keys may be exchanged. The first alone withstands quantum computers, and needs OpenSSH 9.9 or \
                  newer.",
            example: r#"["mlkem768x25519-sha256"]"#,
        },
        OptionDefinition {
            name: "ciphers",
            kind: ValueType::List,
            accepted: r#"some of "aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "chacha20-poly1305@openssh.com""#,
            default: "all of them",
            doc: "For ssh: how packets may be sealed. Of what both ends have the client's favourite is taken.",
            example: r#"["aes256-gcm@openssh.com"]"#,
        },
        OptionDefinition {
            name: "path",
            kind: ValueType::Text,
            accepted: "a path for a socket, in a directory where only we and root write; a relative one starts from this file",
            default: DEFAULT_RELAY_SOCKET,
            doc: "Behind sshd: where the socket is made.",
            example: r#""/run/portreeve/snmp.sock""#,
        },
        OptionDefinition {
            name: "users",
            kind: ValueType::List,
            accepted: r#"names of accounts of this machine; "*" alone for all"#,
            default: "with `group` all, else our own account and root",
            doc: "Behind sshd: whose processes are let in. The kernel says whose they are; rights are another matter, and \
                  come from [[session-user]].",
            example: r#"["ops"]"#,
        },
        OptionDefinition {
            name: "group",
            kind: ValueType::Text,
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
        OptionDefinition {
            name: "connections",
            kind: ValueType::Number { min: 1, max: 1_000_000 },
            accepted: "1 to 1000000",
            default: "8192",
            doc: "Connections open at once.",
            example: "8192",
        },
        OptionDefinition {
            name: "connections-per-source",
            kind: ValueType::Number { min: 1, max: 1_000_000 },
            accepted: "1 to 1000000",
            default: "256",
            doc: "Of these, from one IPv4 address or one IPv6 /64.",
            example: "256",
        },
        seconds("grace", "30", "How long a connection may take until its first message that is accepted."),
        seconds("idle", "600", "How long an accepted connection may stay silent."),
        seconds("stall", "30", "How long a peer may leave answers unread."),
        OptionDefinition {
            name: "community-datagram",
            kind: ValueType::Number { min: 484, max: 65_535 },
            accepted: "484 to 65535 octets",
            default: "1472, one Ethernet frame",
            doc: "The longest answer to a read by community over UDP, where anybody can forge the address it goes to.",
            example: "1472",
        },
        OptionDefinition {
            name: "unauthenticated-replies",
            kind: ValueType::Number { min: 0, max: 1_000_000 },
            accepted: "0 to 1000000 a second, 0: any number",
            default: "200",
            doc: "Answers to those who have not even proven their address, Reports of USM and cookies of DTLS, for each IPv4 /24 \
                  and each IPv6 /56; more are withheld and counted. This machine itself has no bound.",
            example: "200",
        },
    ],
};

const fn seconds(name: &'static str, default: &'static str, doc: &'static str) -> OptionDefinition {
    let kind = ValueType::Number { min: 1, max: 86_400 };
    OptionDefinition { name, kind, accepted: "1 to 86400 seconds", default, doc, example: default }
}
