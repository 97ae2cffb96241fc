//! Definitions of the section `[ssh]`.

use super::{
    section::{OptionDefinition, Section, ValueType},
    words::{FILE, switch},
};

/// The definition of the section `[ssh]`.
pub static SSH: Section = Section {
    name: "ssh",
    repeated: false,
    doc: "Host keys and user authentication of sessions over SSH. The user name is the securityName. A reload rereads \
          host keys, authorities and revocations, and closes the sessions of revoked keys. The user's keys are read \
          at each login.",
    options: &[
        OptionDefinition {
            name: "host-keys",
            kind: ValueType::List,
            accepted: "Ed25519 or ECDSA keys as ssh-keygen writes them; relative paths start from the directory of this file",
            default: "",
            doc: "The private host keys, readable by their owner only. If there is a file KEY-cert.pub next to the key, its certificate is presented with the key.",
            example: r#"["ssh_host_ed25519_key"]"#,
        },
        OptionDefinition {
            name: "authorized-keys",
            kind: ValueType::List,
            accepted: "paths, with %u for the user's name and %h for the user's home; relative paths start from the directory of this file",
            default: "[]",
            doc: "Files that contain the users' public keys, in the format of sshd's authorized_keys.",
            example: r#"["authorized_keys/%u"]"#,
        },
        OptionDefinition {
            name: "authorities",
            kind: ValueType::Text,
            accepted: FILE,
            default: "",
            doc: "A file that contains the public keys of SSH authorities, one per line. A user with a certificate of one of \
                  these authorities can log in under each name that the certificate lists as a principal.",
            example: r#""ssh_user_ca.pub""#,
        },
        OptionDefinition {
            name: "principals",
            kind: ValueType::Text,
            accepted: "a path, with %u for the user's name and %h for the user's home; a relative path starts from the directory of this file",
            default: "none; the certificate must list the user name as a principal",
            doc: "A file that contains the principals whose certificates can log in as the user, one per line, like sshd's \
                  AuthorizedPrincipalsFile. The certificates must be signed by one of the `authorities`.",
            example: r#""principals/%u""#,
        },
        OptionDefinition {
            name: "revoked",
            kind: ValueType::Text,
            accepted: FILE,
            default: "",
            doc: "Revoked keys, fingerprints, serial numbers and key IDs, one per line, or a list made by \
                  `ssh-keygen -k`.",
            example: r#""ssh_revoked""#,
        },
        switch(
            "password",
            "false",
            "Accept logins with the user's password on this machine, checked by PAM. To verify passwords for accounts other \
                  than its own, the agent must run as root.",
            "true",
        ),
        switch(
            "keyboard-interactive",
            "false",
            "Accept logins in which the user answers PAM's questions: a password, a code, or both.",
            "true",
        ),
        switch(
            "root-password",
            "false",
            "Accept passwords of accounts with the user ID 0, such as root. If false, they are refused like wrong passwords.",
            "true",
        ),
        OptionDefinition {
            name: "check-account",
            kind: ValueType::Boolean,
            accepted: "true or false",
            default: "true if `authorized-keys` contains %h",
            doc: "Check the account with PAM when a user logs in with a key or a certificate, so that expired accounts, and \
                  accounts that PAM's account rules refuse, cannot log in. Each user then needs an account on this machine.",
            example: "true",
        },
        OptionDefinition {
            name: "pam-service",
            kind: ValueType::Text,
            accepted: "letters, digits, `-`, `_` and `.`; at most 64",
            default: r#""portreeve""#,
            doc: "The PAM service: the name of a file in /etc/pam.d. If it does not exist, PAM uses the service `other`.",
            example: r#""sshd""#,
        },
    ],
};
