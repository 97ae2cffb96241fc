use super::*;

#[test]
fn time_spans_are_parsed_as_in_openssh() {
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
        assert_eq!(parse_time_span(text), expected.map(|seconds| seconds.map(Duration::from_secs)), "{text}");
    }
}

#[test]
fn invalid_lines_are_rejected_and_irrelevant_keywords_ignored() {
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
        assert!(parse_directive(line).is_err(), "{line}: {:?}", parse_directive(line));
    }
    for line in ["SendEnv LANG LC_*", "GSSAPIAuthentication yes", "NoSuchThing 1", "# Port 0"] {
        assert_eq!(parse_directive(line), Ok(None), "{line}");
    }
}

#[test]
fn strict_host_key_checking_with_value_no_means_accept_new() {
    for word in ["no", "off", "accept-new"] {
        assert_eq!(
            parse_directive(&format!("StrictHostKeyChecking {word}")),
            Ok(Some(Directive::Set(Setting::StrictHostKeyChecking(StrictHostKeyChecking::AcceptNew))))
        );
    }
}

#[test]
fn match_conditions_may_be_negated_or_use_an_equals_sign() {
    assert_eq!(
        parse_directive("Match !host=*.example user root"),
        Ok(Some(Directive::Match(vec![
            Criterion { negated: true, test: Condition::Host(PatternList::from_commas("*.example")) },
            Criterion { negated: false, test: Condition::User(PatternList::from_commas("root")) },
        ])))
    );
}
