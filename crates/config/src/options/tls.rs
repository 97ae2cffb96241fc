//! The definitions of what TLS and DTLS are spoken with, and of whom a certificate names.

use super::{
    section::{OptionDefinition, Section, ValueType},
    words::name,
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
        OptionDefinition {
            name: "authorities",
            kind: ValueType::List,
            accepted: PEM_FILES,
            default: "[]",
            doc: "Certificates of the authorities that vouch for clients.",
            example: r#"["ca.pem"]"#,
        },
        OptionDefinition {
            name: "pinned",
            kind: ValueType::List,
            accepted: FINGERPRINT,
            default: "[]",
            doc: "Clients' certificates that need no authority. The fingerprints of [[tls.name]] are pinned already.",
            example: r#"["sha256:5A:…"]"#,
        },
        OptionDefinition {
            name: "crl",
            kind: ValueType::List,
            accepted: PEM_FILES,
            default: "[]",
            doc: "Revocation lists: whom they name does not get in, whoever vouches.",
            example: r#"["ca.crl"]"#,
        },
        OptionDefinition {
            name: "versions",
            kind: ValueType::List,
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
        OptionDefinition {
            name: "priority",
            kind: ValueType::Number { min: 1, max: u32::MAX },
            accepted: "1 to 4294967295",
            default: "10 more than the one before",
            doc: "Their order, from the least.",
            example: "10",
        },
        OptionDefinition {
            name: "fingerprint",
            kind: ValueType::Text,
            accepted: FINGERPRINT,
            default: "",
            doc: "Of the certificate, or of the authority above it.",
            example: r#""sha256:5A:…""#,
        },
        OptionDefinition {
            name: "map",
            kind: ValueType::Text,
            accepted: r#""specified", "san-any", "san-rfc822", "san-dns", "san-ip" or "common-name""#,
            default: r#""specified" where `name` is given, else "san-any""#,
            doc: "Where the name comes from: from `name`, from a subjectAltName of a kind, or from the CommonName.",
            example: r#""common-name""#,
        },
        name("The name, where it is specified.", r#""ops""#),
    ],
};

const fn pem(name: &'static str, doc: &'static str, example: &'static str) -> OptionDefinition {
    let accepted = "a PEM file; a relative one is looked up from this file";
    OptionDefinition { name, kind: ValueType::Text, accepted, default: "", doc, example }
}

const PEM_FILES: &str = "PEM files; relative ones are looked up from this file";
const FINGERPRINT: &str =
    "a fingerprint as `openssl x509 -fingerprint -sha256` shows it: sha256: and 64 hexadecimal digits";
