//! Definitions of the sections `[weak]`, `[[user]]` and `[[community]]`.

use super::{
    section::{OptionDefinition, Section, ValueType},
    short_form::{ACCESS_SHORT, CONTEXTS_SHORT, view_short},
    words::{FILE, NAME, context, name},
};

/// The definition of the section `[weak]`.
pub static WEAK: Section = Section {
    name: "weak",
    repeated: false,
    doc: "Insecure options. Each must be enabled here explicitly.",
    options: &[OptionDefinition {
        name: "allow",
        kind: ValueType::List,
        accepted: r#"any of "communities", "noAuthNoPriv", "MD5", "SHA", "DES", "3DES""#,
        default: "[]",
        doc: "The insecure options that this file and rows made by SET may use. communities: SNMPv1 and v2c, in cleartext. \
              noAuthNoPriv: users without a password. MD5, SHA: authentication with broken hashes; SHA also allows SHA-1 \
              fingerprints of certificates. DES, 3DES: encryption with short keys or blocks.",
        example: r#"["communities"]"#,
    }],
};

/// The definition of the section `[[user]]`.
pub static USER: Section = Section {
    name: "user",
    repeated: true,
    doc: "A user of SNMPv3's User-based Security Model.",
    options: &[
        name("The user's name, which is also the securityName.", r#""ops""#),
        OptionDefinition {
            name: "auth",
            kind: ValueType::Text,
            accepted: r#""SHA-512", "SHA-384", "SHA-256" or "SHA-224"; "SHA" and "MD5" if [weak] allows them"#,
            default: r#""SHA-256" if a pass phrase is given"#,
            doc: "The authentication protocol.",
            example: r#""SHA-256""#,
        },
        pass_phrase("auth-pass", "The authentication pass phrase."),
        pass_file("auth-pass-file", "A file whose first line is the authentication pass phrase."),
        localized_key(
            "auth-key",
            "The authentication key, localized to engine-id, instead of a pass phrase.",
        ),
        OptionDefinition {
            name: "priv",
            kind: ValueType::Text,
            accepted: r#""AES", "AES-192", "AES-256", "AES-192-C" or "AES-256-C"; "DES" and "3DES" if [weak] allows them"#,
            default: r#""AES" if a pass phrase is given"#,
            doc: "The privacy protocol. AES-192-C and AES-256-C use the key extension of Cisco devices.",
            example: r#""AES""#,
        },
        pass_phrase("priv-pass", "The privacy pass phrase."),
        pass_file("priv-pass-file", "A file whose first line is the privacy pass phrase."),
        localized_key("priv-key", "The privacy key, localized to engine-id, instead of a pass phrase."),
        OptionDefinition {
            name: "level",
            kind: ValueType::Text,
            accepted: r#""authPriv" or "authNoPriv"; "noAuthNoPriv" if [weak] allows it"#,
            default: "the highest that the user's keys allow",
            doc: "The lowest level at which `access` is granted.",
            example: r#""authPriv""#,
        },
        ACCESS_SHORT,
        view_short(r#""all" for write at authPriv, otherwise "restricted""#),
        CONTEXTS_SHORT,
    ],
};

/// The definition of the section `[[community]]`.
pub static COMMUNITY: Section = Section {
    name: "community",
    repeated: true,
    doc: "A community of SNMPv1 and v2c: a password that anyone on the network path can read.",
    options: &[
        OptionDefinition {
            name: "name",
            kind: ValueType::Secret,
            accepted: "1 to 255 octets",
            default: "",
            doc: "The community string.",
            example: r#""mLh3xPq0""#,
        },
        OptionDefinition {
            name: "name-file",
            kind: ValueType::Text,
            accepted: FILE,
            default: "",
            doc: "A file whose first line is the community string, instead of `name`.",
            example: r#""community""#,
        },
        OptionDefinition {
            name: "versions",
            kind: ValueType::List,
            accepted: r#""v1" and "v2c""#,
            default: r#"["v2c"]"#,
            doc: "The SNMP versions in which the community is accepted.",
            example: r#"["v1", "v2c"]"#,
        },
        OptionDefinition {
            name: "security-name",
            kind: ValueType::Text,
            accepted: NAME,
            default: "community-N, where N is the number of this [[community]] in the file, counted from 1",
            doc: "The securityName of requests with this community.",
            example: r#""poller""#,
        },
        OptionDefinition {
            name: "sources",
            kind: ValueType::List,
            accepted: r#"networks and addresses: "192.0.2.0/24", "2001:db8::/32", "198.51.100.7""#,
            default: "anywhere",
            doc: "The networks from which messages with this community are accepted.",
            example: r#"["192.0.2.0/24"]"#,
        },
        context("The context that requests with this community access."),
        ACCESS_SHORT,
        view_short(r#""restricted""#),
    ],
};

const fn pass_phrase(name: &'static str, doc: &'static str) -> OptionDefinition {
    let (accepted, example) = ("at least 8 octets", r#""correct horse battery""#);
    OptionDefinition { name, kind: ValueType::Secret, accepted, default: "", doc, example }
}

const fn pass_file(name: &'static str, doc: &'static str) -> OptionDefinition {
    OptionDefinition {
        name,
        kind: ValueType::Text,
        accepted: FILE,
        default: "",
        doc,
        example: r#""ops.pass""#,
    }
}

const fn localized_key(name: &'static str, doc: &'static str) -> OptionDefinition {
    let accepted = "hexadecimal; as many octets as a key of the algorithm has";
    OptionDefinition { name, kind: ValueType::Secret, accepted, default: "", doc, example: r#""0x…""# }
}
