use super::*;

#[test]
fn spans_are_read_as_ssh_reads_them() {
    for (text, expected) in [
        ("10", Some(Some(10))),
        ("1m30s", Some(Some(90))),
        ("1m30", Some(Some(90))),
        ("2h", Some(Some(7200))),
        ("0", Some(None)),
        ("", None),
        ("s", None),
        ("10x", None),
        ("99999999999999999999", None),
        ("3000000000", None),
    ] {
        assert_eq!(span(text), expected.map(|seconds| seconds.map(Duration::from_secs)), "{text}");
    }
}

#[test]
fn bad_values_are_refused_and_foreign_keywords_passed_over() {
    for line in [
        "Port",
        "Port 0",
        "Port 65536",
        "Port +1",
        "Port ssh",
        "IdentitiesOnly maybe",
        "StrictHostKeyChecking perhaps",
        "ConnectTimeout soon",
        "BatchMode perhaps",
        "PasswordAuthentication",
        "NumberOfPasswordPrompts many",
        "ProxyJump a,,b",
        "HostName",
        "HostName \"\"",
        "Match",
        "Match host",
        "Match moon full",
        "User \"open",
    ] {
        assert!(directive(line).is_err(), "{line}: {:?}", directive(line));
    }
    for line in ["SendEnv LANG LC_*", "GSSAPIAuthentication yes", "NoSuchThing 1", "# Port 0"] {
        assert_eq!(directive(line), Ok(None), "{line}");
    }
}

#[test]
fn ssh_s_no_is_not_weaker_than_accept_new() {
    for word in ["no", "off", "accept-new"] {
        assert_eq!(
            directive(&format!("StrictHostKeyChecking {word}")),
            Ok(Some(Directive::Set(Setting::StrictHostKeyChecking(StrictHostKeyChecking::AcceptNew))))
        );
    }
}

#[test]
fn conditions_may_be_negated_and_attached() {
    assert_eq!(
        directive("Match !host=*.example user root"),
        Ok(Some(Directive::Match(vec![
            Criterion { negated: true, test: Test::Host(PatternList::from_commas("*.example")) },
            Criterion { negated: false, test: Test::User(PatternList::from_commas("root")) },
        ])))
    );
}
