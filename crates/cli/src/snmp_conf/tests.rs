use portreeve_crypto::AuthProtocol;
use portreeve_mib::format::NameForm;
use portreeve_smi::SecurityLevel;

use super::*;
use crate::flags::Version;

fn entries(text: &str) -> Vec<ConfEntry> {
    portreeve_net_snmp_conf::read_text(Section::SNMP, Path::new("snmp.conf"), text)
}

fn read_text(text: &str, mode: u32) -> (Settings, Vec<String>) {
    let mut entries = entries(text);
    entries.iter_mut().for_each(|entry| entry.location.mode = mode);
    let mut settings = Settings::default();
    let warnings = warnings(&mut settings, &entries, false).into_iter().map(|warning| warning.text);
    (settings, warnings.collect())
}

#[test]
fn snmp_conf_directives_set_default_options() {
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
    assert_eq!(settings.auth_protocol, Some(AuthProtocol::HmacSha256_192));
    assert_eq!((settings.timeout.map(|timeout| timeout.as_secs()), settings.retries), (Some(3), Some(0)));
    assert_eq!((settings.format.names, settings.format.quick), (NameForm::Numeric, false));
}

#[test]
fn invalid_directive_is_reported_and_the_others_are_applied() {
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
fn pass_phrases_in_file_readable_by_others_cause_one_warning() {
    let text = "defAuthPassphrase sesame-open\ndefPrivPassphrase sesame-open\n";
    let (_, warnings) = read_text(text, 0o100_644);
    assert_eq!(
        warnings,
        [
            "snmp.conf: line 1: Warning: this file contains a pass phrase and is readable by other users (mode \
             0644)."
        ]
    );
    assert!(read_text(text, 0o100_600).1.is_empty());
    assert!(read_text("defVersion 2c\n", 0o100_644).1.is_empty());
}

#[test]
fn value_of_mib_directive_is_rest_of_line() {
    let (settings, warnings) =
        read_text("mibs +A-MIB : B-MIB\nmibs -C-MIB\nmibDirs /a dir\nmibfile x.txt\n", 0o600);
    let MibDirectives { modules, directories, files } = settings.mib_directives;
    assert_eq!(
        (modules, directories, files),
        (
            vec!["+A-MIB : B-MIB".to_owned(), "-C-MIB".to_owned()],
            vec!["/a dir".to_owned()],
            vec!["x.txt".to_owned()]
        )
    );
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn transport_directive_is_accepted_in_host_files_only() {
    assert_eq!(
        read_text("transport udp:x", 0o600).1,
        ["snmp.conf: line 1: Warning: Unknown token: transport."]
    );
    let mut settings = Settings::default();
    let entries = entries("transport udp:192.0.2.1:1161\n");
    assert!(warnings(&mut settings, &entries, true).is_empty());
    assert_eq!(settings.host_transport.as_deref(), Some("udp:192.0.2.1:1161"));
}

#[test]
fn warning_shows_control_characters_as_dots() {
    assert_eq!(read_text("\u{1b}[2J 1", 0o600).1, ["snmp.conf: line 1: Warning: Unknown token: .[2J."]);
}
