use std::path::Path;

use portreeve_crypto::AuthProtocol;
use portreeve_mib::format::NameForm;
use portreeve_smi::SecurityLevel;

use super::*;
use crate::flags::Version;

fn read_text(text: &str, mode: u32) -> (Settings, Vec<String>) {
    let mut settings = Settings::default();
    let mut reader = Reader { settings: &mut settings, depth: 0, warnings: Vec::new() };
    reader.text(Path::new("snmp.conf"), mode, text);
    let warnings = reader.warnings.into_iter().map(|warning| warning.text).collect();
    (settings, warnings)
}

#[test]
fn words_set_defaults() {
    let (settings, warnings) = read_text(
        "# a comment\n\ndefVersion 2c\ndefCommunity \"two words\"\ndefSecurityName joe # not read\n\
         DEFSECURITYLEVEL authPriv\ndefAuthType SHA-256\ntimeout 3\nretries 0\nprintNumericOids yes\nquickPrinting 0\n\
         mibs :\n",
        0o600,
    );
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!((settings.version, settings.level), (Version::V2c, SecurityLevel::AuthPriv));
    assert_eq!(settings.community.unwrap().expose(), b"two words");
    assert_eq!(settings.user.as_deref(), Some(&b"joe"[..]));
    assert_eq!(settings.auth_protocol, AuthProtocol::HmacSha256_192);
    assert_eq!((settings.timeout.map(|timeout| timeout.as_secs()), settings.retries), (Some(3), Some(0)));
    assert_eq!((settings.format.names, settings.format.quick), (NameForm::Numeric, false));
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_the_rest_is_read() {
    let (settings, warnings) = read_text("frob 1\ndefVersion 9\ntimeout soon\nretries 7\n", 0o600);
    assert_eq!(
        warnings,
        [
            "snmp.conf: line 1: Warning: Unknown token: frob.",
            "snmp.conf: line 2: Error: Unknown version specification",
            "snmp.conf: line 3: Error: Bad integer value",
        ]
    );
    assert_eq!(settings.retries, Some(7));
}

#[test]
fn sections_of_other_programs_are_passed_over() {
    let text = "[snmpd]\nrocommunity x\n[snmp]\nretries 1\n[snmpd] frob 1\nretries 2\n[snmpd] [snmp]\n";
    let (settings, warnings) = read_text(text, 0o600);
    assert_eq!((settings.retries, warnings.len()), (Some(2), 0));
}

#[test]
fn a_pass_phrase_that_others_can_read_is_told_once() {
    let text = "defAuthPassphrase sesame-open\ndefPrivPassphrase sesame-open\n";
    let (_, warnings) = read_text(text, 0o100_644);
    assert_eq!(
        warnings,
        ["snmp.conf: line 1: Warning: others can read this file, which has a pass phrase (mode 0644)."]
    );
    assert!(read_text(text, 0o100_600).1.is_empty());
    assert!(read_text("defVersion 2c\n", 0o100_644).1.is_empty());
}

#[test]
fn any_text_is_read_without_harm() {
    let words = [
        "[",
        "]",
        "snmp",
        "\"",
        "\\",
        "'",
        "#",
        "\n",
        " ",
        "defVersion",
        "timeout",
        "includeFile",
        "-1",
        "é",
        "\0",
    ];
    let mut state: u32 = 7;
    for _ in 0..2000 {
        let mut text = String::new();
        for _ in 0..20 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text += words[usize::try_from(state >> 16).unwrap() % words.len()];
        }
        read_text(&text, 0o644);
    }
}
