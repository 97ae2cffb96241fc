use super::*;

const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILM+rvN+ot98qgEN796jTiQfZfG1KaT0PtFDJ/XFSqti";

fn only(text: &str) -> AuthorizedKey {
    let parsed = AuthorizedKeys::parse(text);
    assert!(parsed.rejected.is_empty(), "{:?}", parsed.rejected);
    assert_eq!(parsed.keys.len(), 1);
    parsed.keys.into_iter().next().unwrap()
}

fn refusal(text: &str) -> String {
    let parsed = AuthorizedKeys::parse(text);
    assert!(parsed.keys.is_empty(), "{text}");
    parsed.rejected.first().unwrap().to_string()
}

#[test]
fn key_without_options_has_no_restrictions() {
    for line in
        [KEY.to_owned(), format!("{KEY} user@host with, \"quotes\" # and all"), format!("  \t{KEY}\r")]
    {
        assert_eq!(only(&line).options, KeyOptions::default());
    }
}

#[test]
fn line_numbers_include_blank_lines_and_comments() {
    let key = only(&format!("# first\n\n   # second\n{KEY}\n"));
    assert_eq!(key.line, 4);
}

#[test]
fn supported_key_options_are_parsed() {
    let line = r#"restrict,from="192.0.2.0/24,!192.0.2.9",expiry-time="20300101Z" "#;
    let options = only(&format!("{line}{KEY}")).options;
    let from = options.from.unwrap();
    assert!(from.contains("192.0.2.1".parse().unwrap()) && !from.contains("192.0.2.9".parse().unwrap()));
    assert_eq!(options.expires_at, Some(1_893_456_000));
    let options = only(&format!("cert-authority,principals=\"ops,net admin\"\t{KEY}")).options;
    assert!(options.is_authority);
    assert_eq!(options.principals.unwrap(), ["ops", "net admin"]);
}

#[test]
fn options_about_terminals_and_forwarding_are_accepted_without_effect() {
    for option in [
        "no-pty",
        "no-port-forwarding",
        "NO-X11-forwarding",
        "no-agent-forwarding",
        "no-user-rc",
        "restrict,pty",
    ] {
        assert_eq!(only(&format!("{option} {KEY}")).options, KeyOptions::default());
    }
}

#[test]
fn earlier_of_two_expiry_times_applies() {
    let options = only(&format!("expiry-time=\"20300101Z\",expiry-time=\"20200101Z\" {KEY}")).options;
    assert_eq!(options.expires_at, Some(1_577_836_800));
}

#[test]
fn key_with_unsupported_or_invalid_option_is_rejected_with_a_reason() {
    for (options, word) in [
        (r#"command="/bin/true""#, "command"),
        (r#"environment="A=b""#, "environment"),
        (r#"permitopen="host:22""#, "permitopen"),
        ("verify-required", "verify-required"),
        ("from", "from"),
        (r#"restrict="yes""#, "restrict"),
        (r#"from="10.0.0.0/99""#, "from"),
        (r#"expiry-time="soon""#, "expiry-time"),
        (r#"principals="""#, "principals"),
        (r#"from="10.0.0.1",from="10.0.0.2""#, "from"),
        ("no-pty,", ""),
        ("no-pty,,no-pty", ""),
        (r#"from="10.0.0.1"x"#, "malformed"),
    ] {
        let why = refusal(&format!("{options} {KEY}"));
        assert!(why.contains("ignored because") && why.contains(word), "{options}: {why}");
    }
}

#[test]
fn line_without_valid_key_is_rejected() {
    for line in [
        "garbage",
        "ssh-ed25519",
        "ssh-ed25519 AAAA",
        "ssh-ed25519 !!!!",
        "ssh-dss AAAAB3NzaC1kc3MAAACBAP1=",
        r#"from="10.0.0.1"#,
        r#"from="10.0.0.1" "#,
        "no-pty no-pty ssh-ed25519 AAAA",
    ] {
        assert!(refusal(line).contains("not a supported public key"), "{line}");
    }
    let mismatched = KEY.replace("ssh-ed25519 ", "ecdsa-sha2-nistp256 ");
    assert!(refusal(&mismatched).contains("not a supported public key"), "type does not match the key");
}

#[test]
fn option_value_may_contain_escaped_quote() {
    let parsed = AuthorizedKeys::parse(&format!(r#"principals="a\"b,c d" {KEY}"#));
    assert_eq!(parsed.keys[0].options.principals.as_ref().unwrap(), &["a\"b", "c d"]);
}

#[test]
fn invalid_line_does_not_affect_other_lines() {
    let parsed = AuthorizedKeys::parse(&format!("junk\n{KEY}\ncommand=\"x\" {KEY}\n{KEY}"));
    assert_eq!((parsed.keys.len(), parsed.rejected.len()), (2, 2));
}

#[test]
fn line_length_and_number_of_lines_are_limited() {
    assert!(refusal(&format!("{KEY} {}", "x".repeat(20_000))).contains("longer"));
    let parsed = AuthorizedKeys::parse(&format!("{KEY}\n").repeat(10_005));
    assert_eq!((parsed.keys.len(), parsed.rejected.len()), (10_000, 1));
}

#[test]
fn review_m4_fido_security_keys_are_rejected_with_the_reason() {
    for line in [SECURITY_KEY.to_owned(), format!("restrict {SECURITY_KEY}")] {
        let message = refusal(&line);
        assert!(message.contains("touch"), "{message}");
    }
}

const SECURITY_KEY: &str = "sk-ssh-ed25519@openssh.com \
     AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIGfJORDYctSyuvtoqM+ivUMJ8hnC8sjyBJiKCsilTQ+nAAAABHNzaDo=";
