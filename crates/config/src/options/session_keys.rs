//! The options of targets over SSH, TLS and DTLS, to which the program opens sessions.

use super::{
    section::{OptionDefinition, ValueType},
    words::FILE,
};

pub(super) const SSH_KEY: OptionDefinition = OptionDefinition {
    name: "ssh-key",
    kind: ValueType::Text,
    accepted: FILE,
    default: "the first of `host-keys` in [ssh]",
    doc: "The private key for the login over ssh.",
    example: r#""traps_ed25519""#,
};

pub(super) const KNOWN_HOSTS: OptionDefinition = OptionDefinition {
    name: "known-hosts",
    kind: ValueType::Text,
    accepted: "a file in the format of ssh; a relative path starts from the directory of this file",
    default: "/etc/ssh/ssh_known_hosts",
    doc: "The host keys of targets over ssh. A host that is not in it gets no notifications.",
    example: r#""known_hosts""#,
};

pub(super) const CERTIFICATE: OptionDefinition = OptionDefinition {
    name: "certificate",
    kind: ValueType::Text,
    accepted: "a file in PEM format; a relative path starts from the directory of this file",
    default: "`certificate` in [tls]",
    doc: "The certificate that is presented to targets over tls and dtls.",
    example: r#""agent.pem""#,
};

pub(super) const KEY: OptionDefinition = OptionDefinition {
    name: "key",
    kind: ValueType::Text,
    accepted: "a file in PEM format; a relative path starts from the directory of this file",
    default: "`key` in [tls]",
    doc: "The private key of `certificate`.",
    example: r#""agent.key""#,
};

pub(super) const AUTHORITIES: OptionDefinition = OptionDefinition {
    name: "authorities",
    kind: ValueType::List,
    accepted: "files in PEM format; a relative path starts from the directory of this file",
    default: "`authorities` in [tls]",
    doc: "The authorities that are trusted to sign the target's certificate.",
    example: r#"["ca.pem"]"#,
};

pub(super) const SERVER_FINGERPRINT: OptionDefinition = OptionDefinition {
    name: "server-fingerprint",
    kind: ValueType::Text,
    accepted: "a fingerprint, for example \"sha256:5A:…\"",
    default: "none: an authority must have signed the certificate",
    doc: "snmpTlstmAddrServerFingerprint: the fingerprint of the target's certificate. If it is set, only this \
          certificate is accepted.",
    example: r#""sha256:5A:…""#,
};

pub(super) const SERVER_IDENTITY: OptionDefinition = OptionDefinition {
    name: "server-identity",
    kind: ValueType::Text,
    accepted: "a host name of 1 to 255 octets",
    default: "the host in `to`",
    doc: "snmpTlstmAddrServerIdentity: the name that the target's certificate must contain.",
    example: r#""noc.example.org""#,
};
