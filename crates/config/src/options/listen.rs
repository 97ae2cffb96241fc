//! Definitions of the sections `[[listen]]` and `[limits]`.

use portreeve_channel::DEFAULT_RELAY_SOCKET;

use super::{
    section::{OptionDefinition, Section, ValueType},
    words::switch,
};

/// The definition of the section `[[listen]]`.
pub static LISTEN: Section = Section {
    name: "listen",
    repeated: true,
    doc: "An address to listen on. Changes need a restart. Without this section, the agent listens on UDP on all addresses.",
    options: &[
        OptionDefinition {
            name: "transport",
            kind: ValueType::Text,
            accepted: r#""udp", "tcp", "ssh", "tls", "dtls" or "behind-sshd""#,
            default: r#""udp""#,
            doc: "The transport. With behind-sshd, this machine's sshd accepts the SSH connections, and its subsystem \
                  portreeve-snmp(8) forwards the sessions to a Unix socket of the agent. The securityName is the name of \
                  the account that logged in.",
            example: r#""udp""#,
        },
        OptionDefinition {
            name: "address",
            kind: ValueType::Text,
            accepted: r#"an IP address, with or without a port: "192.0.2.1", "192.0.2.1:161", "[::]:161""#,
            default: "all addresses of this machine",
            doc: "The address. The default port is 5161 for ssh, 830 for ssh with services = [\"netconf\"], 10161 for tls and dtls, and 161 for udp and tcp. 0.0.0.0 \
                  means all IPv4 addresses, [::] all IPv6 addresses.",
            example: r#""[::]:161""#,
        },
        OptionDefinition {
            name: "services",
            kind: ValueType::List,
            accepted: r#""snmp", "netconf" or both"#,
            default: "snmp, and netconf if the section [netconf] exists",
            doc: "For ssh: the subsystems that clients may choose.",
            example: r#"["netconf"]"#,
        },
        switch(
            "nodelay",
            "true",
            "Send data on a connection at once (TCP_NODELAY). `false` is for benchmarks only.",
            "true",
        ),
        OptionDefinition {
            name: "window",
            kind: ValueType::Text,
            accepted: r#""when-needed" or "every-message""#,
            default: r#""when-needed""#,
            doc: "For ssh: when the agent sends window adjustments. `every-message` is for benchmarks only.",
            example: r#""when-needed""#,
        },
        OptionDefinition {
            name: "key-exchanges",
            kind: ValueType::List,
            accepted: r#"some of "mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org""#,
            default: "all of them",
            doc: "For ssh: the allowed key exchanges. Only mlkem768x25519-sha256 resists quantum computers; it requires \
                  clients with OpenSSH 9.9 or newer.",
            example: r#"["mlkem768x25519-sha256"]"#,
        },
        OptionDefinition {
            name: "ciphers",
            kind: ValueType::List,
            accepted: r#"some of "aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "chacha20-poly1305@openssh.com""#,
            default: "all of them",
            doc: "For ssh: the allowed ciphers. The client's first choice among those that both sides support is used.",
            example: r#"["aes256-gcm@openssh.com"]"#,
        },
        OptionDefinition {
            name: "path",
            kind: ValueType::Text,
            accepted: "a socket path in a directory that only the agent's account and root can write to; a relative path starts from the directory of this file",
            default: DEFAULT_RELAY_SOCKET,
            doc: "For behind-sshd: the path of the socket that the agent creates.",
            example: r#""/run/portreeve/snmp.sock""#,
        },
        OptionDefinition {
            name: "users",
            kind: ValueType::List,
            accepted: r#"account names of this machine; "*" alone for all"#,
            default: "all members of `group` if `group` is set; otherwise the agent's account and root",
            doc: "For behind-sshd: the accounts whose processes may connect, as reported by the kernel. Rights \
                  come from [[session-user]].",
            example: r#"["ops"]"#,
        },
        OptionDefinition {
            name: "group",
            kind: ValueType::Text,
            accepted: "a group name of this machine",
            default: "none; the mode of the socket is 666 if `users` is set, otherwise 600",
            doc: "For behind-sshd: the only group whose members may connect; the mode of the socket is then 660.",
            example: r#""snmp""#,
        },
    ],
};

/// The definition of the section `[limits]`.
pub static LIMITS: Section = Section {
    name: "limits",
    repeated: false,
    doc: "Limits on the resources that peers may use. Changes need a restart. If `connections-per-source` is reached, a new connection closes the \
          oldest unauthenticated connection of the same source. If `connections` is reached, a new connection closes a connection of the source \
          or IPv6 network that has the most connections.",
    options: &[
        OptionDefinition {
            name: "connections",
            kind: ValueType::Number { min: 1, max: 1_000_000 },
            accepted: "1 to 1000000",
            default: "8192",
            doc: "Maximum number of open connections.",
            example: "8192",
        },
        OptionDefinition {
            name: "connections-per-source",
            kind: ValueType::Number { min: 1, max: 1_000_000 },
            accepted: "1 to 1000000",
            default: "256",
            doc: "Maximum number of open connections from one IPv4 address or one IPv6 /64.",
            example: "256",
        },
        seconds(
            "grace",
            "30",
            "Time limit from the start of a connection to its first accepted message. It includes the login over SSH and the \
             handshake over TLS and DTLS.",
        ),
        seconds("idle", "600", "Maximum idle time of an accepted connection."),
        OptionDefinition {
            name: "max-session",
            kind: ValueType::Number { min: 60, max: 31_536_000 },
            accepted: "60 to 31536000 seconds",
            default: "86400, one day",
            doc: "Maximum duration of a connection, even if it is in use. It bounds how long a session outlives the key or \
                  certificate that opened it.",
            example: "86400",
        },
        seconds("stall", "30", "Maximum time for which a peer may leave responses unread."),
        OptionDefinition {
            name: "community-datagram",
            kind: ValueType::Number { min: 484, max: 65_535 },
            accepted: "484 to 65535 octets",
            default: "1472, one Ethernet frame",
            doc: "Maximum size of a response over UDP to a read without authentication (a community, or a user at \
                  noAuthNoPriv), because source addresses can be forged.",
            example: "1472",
        },
        OptionDefinition {
            name: "community-rate",
            kind: ValueType::Number { min: 0, max: 1_000_000_000 },
            accepted: "0 to 1000000000 octets per second; 0 is unlimited",
            default: "4000000",
            doc: "Maximum rate of responses over UDP to requests without authentication (communities, noAuthNoPriv), per \
                  IPv4 /24 and per IPv6 /56. The default allows about 40,000 small responses or 2,700 full Ethernet frames \
                  per second. Excess responses are dropped and counted. Loopback is not limited.",
            example: "4000000",
        },
        OptionDefinition {
            name: "unauthenticated-replies",
            kind: ValueType::Number { min: 0, max: 1_000_000 },
            accepted: "0 to 1000000 per second; 0 is unlimited",
            default: "200",
            doc: "Maximum rate of USM Reports and DTLS cookies to unauthenticated peers, per IPv4 /24 and per IPv6 /56, \
                  because source addresses can be forged. Excess replies are dropped and counted. Loopback is not limited.",
            example: "200",
        },
    ],
};

const fn seconds(name: &'static str, default: &'static str, doc: &'static str) -> OptionDefinition {
    let kind = ValueType::Number { min: 1, max: 86_400 };
    OptionDefinition { name, kind, accepted: "1 to 86400 seconds", default, doc, example: default }
}
