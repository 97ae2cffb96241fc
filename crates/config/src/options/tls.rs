//! Definitions of the sections `[tls]` and `[[tls.name]]`.

use super::{
    section::{OptionDefinition, Section, ValueType},
    words::name,
};

/// The definition of the section `[tls]`.
pub static TLS: Section = Section {
    name: "tls",
    repeated: false,
    doc: "Certificate and trust of sessions over TLS and DTLS. A reload rereads all these files. It closes sessions whose \
          certificate is revoked or whose securityName has changed; other sessions remain open. DTLS 1.3 needs an ECDSA \
          certificate that a trusted authority has signed itself, without intermediate certificates; otherwise DTLS 1.2 is used.",
    options: &[
        pem(
            "certificate",
            "The agent's certificate, followed by the certificates of intermediate authorities. The intermediate \
             certificates also complete the chains of clients that send only their own certificate.",
            r#""agent.pem""#,
        ),
        pem("key", "The private key of `certificate`, readable by its owner only.", r#""agent.key""#),
        OptionDefinition {
            name: "authorities",
            kind: ValueType::List,
            accepted: PEM_FILES,
            default: "[]",
            doc: "Certificates of the authorities trusted to sign client certificates. Each is trusted like a root, even if \
                  another authority has signed it.",
            example: r#"["ca.pem"]"#,
        },
        OptionDefinition {
            name: "pinned",
            kind: ValueType::List,
            accepted: FINGERPRINT,
            default: "[]",
            doc: "Fingerprints of client certificates that are accepted without a trusted authority. A certificate whose own \
                  fingerprint is in a [[tls.name]] is accepted too. The fingerprint of an authority there does not pin the \
                  certificates that the authority issues.",
            example: r#"["sha256:5A:…"]"#,
        },
        OptionDefinition {
            name: "crl",
            kind: ValueType::List,
            accepted: PEM_FILES,
            default: "[]",
            doc: "Certificate revocation lists. Revoked certificates are rejected, including pinned ones.",
            example: r#"["ca.crl"]"#,
        },
        OptionDefinition {
            name: "versions",
            kind: ValueType::List,
            accepted: r#""1.2" and "1.3""#,
            default: r#"["1.2", "1.3"]"#,
            doc: "The versions of TLS and DTLS. Older versions are not supported.",
            example: r#"["1.3"]"#,
        },
    ],
};

/// The definition of the section `[[tls.name]]`.
pub static TLS_NAME: Section = Section {
    name: "tls.name",
    repeated: true,
    doc: "Maps a certificate to a securityName (snmpTlstmCertToTSNTable). If several rules match, the \
          first one that yields a name of 1 to 32 octets is used. Certificates that no rule maps to a name are rejected.",
    options: &[
        OptionDefinition {
            name: "priority",
            kind: ValueType::Number { min: 1, max: u32::MAX },
            accepted: "1 to 4294967295",
            default: "10 more than that of the previous rule",
            doc: "The order of the rules, lowest first.",
            example: "10",
        },
        OptionDefinition {
            name: "fingerprint",
            kind: ValueType::Text,
            accepted: FINGERPRINT,
            default: "",
            doc: "Fingerprint of the certificate, or of an authority that issued it.",
            example: r#""sha256:5A:…""#,
        },
        OptionDefinition {
            name: "map",
            kind: ValueType::Text,
            accepted: r#""specified", "san-any", "san-rfc822", "san-dns", "san-ip" or "common-name""#,
            default: r#""specified" if `name` is set, otherwise "san-any""#,
            doc: "Source of the securityName: the option `name`, a type of subjectAltName, or the CommonName. X.509 name constraints do not \
                  restrict the CommonName.",
            example: r#""san-dns""#,
        },
        name("The securityName if `map` is \"specified\".", r#""ops""#),
    ],
};

const fn pem(name: &'static str, doc: &'static str, example: &'static str) -> OptionDefinition {
    let accepted = "a PEM file; a relative path starts from the directory of this file";
    OptionDefinition { name, kind: ValueType::Text, accepted, default: "", doc, example }
}

const PEM_FILES: &str = "PEM files; relative paths start from the directory of this file";
const FINGERPRINT: &str = "a fingerprint as `portreeve keys show` prints it: sha256: and 64 hexadecimal digits; also \
                           sha224:, sha384: or sha512:, and sha1: if [weak] allows SHA";
