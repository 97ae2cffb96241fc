//! The definitions of what SSH is spoken with.

use super::{
    section::{OptionDefinition, Section, ValueType},
    words::{FILE, switch},
};

/// `[ssh]`
pub static SSH: Section = Section {
    name: "ssh",
    repeated: false,
    doc: "Who we are, and who may log in, in sessions over SSH; the user's name is the securityName. A reload reads host \
          keys, authorities and revocations again, each login the user's keys; open sessions stay.",
    options: &[
        OptionDefinition {
            name: "host-keys",
            kind: ValueType::List,
            accepted: "Ed25519 or ECDSA keys as ssh-keygen writes them; relative ones are looked up from this file",
            default: "",
            doc: "Our private keys, readable by their owner only. A certificate beside one, KEY-cert.pub, is presented with it.",
            example: r#"["ssh_host_ed25519_key"]"#,
        },
        OptionDefinition {
            name: "authorized-keys",
            kind: ValueType::List,
            accepted: "paths, with %u for the user's name and %h for the user's home; relative ones start from this file",
            default: "[]",
            doc: "Where users' public keys are, in the form of sshd's authorized_keys.",
            example: r#"["authorized_keys/%u"]"#,
        },
        OptionDefinition {
            name: "authorities",
            kind: ValueType::Text,
            accepted: FILE,
            default: "",
            doc: "A file of public keys, one a line, whose certificates log anyone in whom they name.",
            example: r#""ssh_user_ca.pub""#,
        },
        OptionDefinition {
            name: "principals",
            kind: ValueType::Text,
            accepted: "a path, with %u for the user's name and %h for the user's home; a relative one starts from this file",
            default: "a certificate must name the user",
            doc: "A file of the names that a certificate of `authorities` may have for the user, one a line, as sshd's \
                  AuthorizedPrincipalsFile.",
            example: r#""principals/%u""#,
        },
        OptionDefinition {
            name: "revoked",
            kind: ValueType::Text,
            accepted: FILE,
            default: "",
            doc: "What does not count any more: keys, fingerprints, serial numbers and key IDs, one a line, or a list that \
                  `ssh-keygen -k` has made.",
            example: r#""ssh_revoked""#,
        },
        switch(
            "password",
            "false",
            "Whether users may log in with their password on this machine, which PAM judges. For others than its own \
                  user's the agent has to run as root.",
            "true",
        ),
        switch(
            "keyboard-interactive",
            "false",
            "Whether users may log in by answering PAM's questions: a password, a code, or both.",
            "true",
        ),
        OptionDefinition {
            name: "pam-service",
            kind: ValueType::Text,
            accepted: "letters, digits, `-`, `_` and `.`; at most 64",
            default: r#""portreeve""#,
            doc: "By the rules of which file in /etc/pam.d PAM judges; where that file does not exist, by those of other.",
            example: r#""sshd""#,
        },
    ],
};
