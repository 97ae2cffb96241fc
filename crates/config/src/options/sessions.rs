//! The definitions of what concerns sessions over secure transports.

use super::{
    Kind, Opt, Section,
    sections::{ACCESS_SHORT, CONTEXTS_SHORT, NAME, view_short},
};

/// `[sessions]`
pub static SESSIONS: Section = Section {
    name: "sessions",
    repeated: false,
    doc: "What holds for all sessions over secure transports.",
    options: &[
        Opt {
            name: "use-prefix",
            kind: Kind::Switch,
            accepted: "true or false",
            default: "false; SET may change it",
            doc: "snmpTsmConfigurationUsePrefix: whether securityNames begin with their transport, as in tls:ops.",
            example: "false",
        },
        Opt {
            name: "communities",
            kind: Kind::Switch,
            accepted: "true or false",
            default: "false; such messages are dropped",
            doc: "Whether SNMPv1 and v2c messages are taken in sessions. Whoever the session has authenticated asks \
                  then, whatever the community.",
            example: "true",
        },
    ],
};

/// `[[session-user]]`
pub static SESSION_USER: Section = Section {
    name: "session-user",
    repeated: true,
    doc: "Rights of somebody whom the transport authenticates, by certificate or SSH key. A [[user]] of the same \
          name is somebody else. A message in a session that asks for less than authPriv reads snmpEngineID alone, \
          because managers find out in such a way whom they talk to.",
    options: &[
        Opt {
            name: "name",
            kind: Kind::Text,
            accepted: NAME,
            default: "",
            doc: "The securityName: what a [[tls.name]] makes of the certificate, or the name of the user of SSH.",
            example: r#""ops""#,
        },
        ACCESS_SHORT,
        view_short(r#""all""#),
        CONTEXTS_SHORT,
    ],
};

/// `[ssh]`
pub static SSH: Section = Section {
    name: "ssh",
    repeated: false,
    doc: "Who we are, and who may log in, in sessions over SSH; the user's name is the securityName. A reload reads host \
          keys, authorities and revocations again, each login the user's keys; open sessions stay.",
    options: &[
        Opt {
            name: "host-keys",
            kind: Kind::List,
            accepted: "Ed25519 or ECDSA keys as ssh-keygen writes them; relative ones are looked up from this file",
            default: "",
            doc: "Our private keys, readable by their owner only. A certificate beside one, KEY-cert.pub, is presented with it.",
            example: r#"["ssh_host_ed25519_key"]"#,
        },
        Opt {
            name: "authorized-keys",
            kind: Kind::List,
            accepted: "paths, with %u for the user's name and %h for the user's home; relative ones start from this file",
            default: "[]",
            doc: "Where users' public keys are, in the form of sshd's authorized_keys.",
            example: r#"["authorized_keys/%u"]"#,
        },
        Opt {
            name: "authorities",
            kind: Kind::Text,
            accepted: KEY_FILE,
            default: "",
            doc: "A file of public keys, one a line, whose certificates log anyone in whom they name.",
            example: r#""ssh_user_ca.pub""#,
        },
        Opt {
            name: "principals",
            kind: Kind::Text,
            accepted: "a path, with %u for the user's name and %h for the user's home; a relative one starts from this file",
            default: "a certificate must name the user",
            doc: "A file of the names that a certificate of `authorities` may have for the user, one a line, as sshd's \
                  AuthorizedPrincipalsFile.",
            example: r#""principals/%u""#,
        },
        Opt {
            name: "revoked",
            kind: Kind::Text,
            accepted: KEY_FILE,
            default: "",
            doc: "What does not count any more: keys, fingerprints, serial numbers and key IDs, one a line, or a list that \
                  `ssh-keygen -k` has made.",
            example: r#""ssh_revoked""#,
        },
        Opt {
            name: "password",
            kind: Kind::Switch,
            accepted: "true or false",
            default: "false",
            doc: "Whether users may log in with their password on this machine, which PAM judges. For others than its own \
                  user's the agent has to run as root.",
            example: "true",
        },
        Opt {
            name: "keyboard-interactive",
            kind: Kind::Switch,
            accepted: "true or false",
            default: "false",
            doc: "Whether users may log in by answering PAM's questions: a password, a code, or both.",
            example: "true",
        },
        Opt {
            name: "pam-service",
            kind: Kind::Text,
            accepted: "letters, digits, `-`, `_` and `.`; at most 64",
            default: r#""portreeve""#,
            doc: "By the rules of which file in /etc/pam.d PAM judges; where that file does not exist, by those of other.",
            example: r#""sshd""#,
        },
    ],
};

/// `[tls]`
pub static TLS: Section = Section {
    name: "tls",
    repeated: false,
    doc: "Who we are, and whom we trust, in sessions over TLS and DTLS. A reload reads all these files again; open \
          sessions stay. DTLS 1.3 takes ECDSA certificates that an authority has signed itself; with others DTLS 1.2 is \
          spoken.",
    options: &[
        pem(
            "certificate",
            "Our certificate, followed by those that lead to its authority.",
            r#""agent.pem""#,
        ),
        pem("key", "Its private key, readable by its owner only.", r#""agent.key""#),
        Opt {
            name: "authorities",
            kind: Kind::List,
            accepted: PEM_FILES,
            default: "[]",
            doc: "Certificates of the authorities that vouch for clients.",
            example: r#"["ca.pem"]"#,
        },
        Opt {
            name: "pinned",
            kind: Kind::List,
            accepted: FINGERPRINT,
            default: "[]",
            doc: "Clients' certificates that need no authority. The fingerprints of [[tls.name]] are pinned already.",
            example: r#"["sha256:5A:…"]"#,
        },
        Opt {
            name: "crl",
            kind: Kind::List,
            accepted: PEM_FILES,
            default: "[]",
            doc: "Revocation lists: whom they name does not get in, whoever vouches.",
            example: r#"["ca.crl"]"#,
        },
        Opt {
            name: "versions",
            kind: Kind::List,
            accepted: r#""1.2" and "1.3""#,
            default: r#"["1.2", "1.3"]"#,
            doc: "The versions of TLS and DTLS. Older ones do not exist here.",
            example: r#"["1.3"]"#,
        },
    ],
};

/// `[[tls.name]]`
pub static TLS_NAME: Section = Section {
    name: "tls.name",
    repeated: true,
    doc: "Which securityName the holder of a certificate gets (snmpTlstmCertToTSNTable); of several that match, the \
          first that gives a name of 1 to 32 octets. Who gets none does not get in.",
    options: &[
        Opt {
            name: "priority",
            kind: Kind::Number { min: 1, max: u32::MAX },
            accepted: "1 to 4294967295",
            default: "10 more than the one before",
            doc: "Their order, from the least.",
            example: "10",
        },
        Opt {
            name: "fingerprint",
            kind: Kind::Text,
            accepted: FINGERPRINT,
            default: "",
            doc: "Of the certificate, or of the authority above it.",
            example: r#""sha256:5A:…""#,
        },
        Opt {
            name: "map",
            kind: Kind::Text,
            accepted: r#""specified", "san-any", "san-rfc822", "san-dns", "san-ip" or "common-name""#,
            default: r#""specified" where `name` is given, else "san-any""#,
            doc: "Where the name comes from: from `name`, from a subjectAltName of a kind, or from the CommonName.",
            example: r#""common-name""#,
        },
        Opt {
            name: "name",
            kind: Kind::Text,
            accepted: NAME,
            default: "",
            doc: "The name, where it is specified.",
            example: r#""ops""#,
        },
    ],
};

const fn pem(name: &'static str, doc: &'static str, example: &'static str) -> Opt {
    let accepted = "a PEM file; a relative one is looked up from this file";
    Opt { name, kind: Kind::Text, accepted, default: "", doc, example }
}

const KEY_FILE: &str = "a file; a relative one is looked up from this file";
const PEM_FILES: &str = "PEM files; relative ones are looked up from this file";
const FINGERPRINT: &str =
    "a fingerprint as `openssl x509 -fingerprint -sha256` shows it: sha256: and 64 hexadecimal digits";
