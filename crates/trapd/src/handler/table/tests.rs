use super::{HandlerTable, OidPattern, OidPatternError};

fn pattern(text: &str) -> Result<OidPattern, OidPatternError> {
    OidPattern::parse(text, str::parse)
}

fn table(patterns: &[&'static str]) -> HandlerTable<&'static str> {
    let mut table = HandlerTable::default();
    for text in patterns {
        table.add(pattern(text).unwrap(), *text);
    }
    table
}

fn selected(table: &HandlerTable<&'static str>, notification: &str) -> Vec<&'static str> {
    let notification: portreeve_smi::Oid = notification.parse().unwrap();
    table.select(&notification).into_iter().copied().collect()
}

// The expected handlers are those that snmptrapd 5.9.3 executed with the same directives.
#[test]
fn handlers_are_those_that_net_snmp_selects() {
    let table = table(&[".1.3.6.1.4.1.8072*", ".1.3.6.1.4.1.9999.*", ".1.3.6.1.6.3.1.1.5.1", "default"]);
    for (notification, handler) in [
        (".1.3.6.1.6.3.1.1.5.1", ".1.3.6.1.6.3.1.1.5.1"),
        (".1.3.6.1.6.3.1.1.5.2", "default"),
        (".1.3.6.1.6.3.1.1.5.1.1", "default"),
        (".1.3.6.1.4.1.8072", ".1.3.6.1.4.1.8072*"),
        (".1.3.6.1.4.1.8072.9.0.17", ".1.3.6.1.4.1.8072*"),
        (".1.3.6.1.4.1.80721", "default"),
        (".1.3.6.1.4.1.9999", "default"),
        (".1.3.6.1.4.1.9999.1", ".1.3.6.1.4.1.9999.*"),
        (".1.3.6.1.4.1.9999.0.0", ".1.3.6.1.4.1.9999.*"),
    ] {
        assert_eq!(selected(&table, notification), [handler], "{notification}");
    }
}

#[test]
fn longest_identifier_is_selected_in_any_order_of_directives() {
    let mut patterns = [".1.3.6.1.4.1*", ".1.3.6.1.4.1.50.1*", ".1.3.6.1.4.1.50.1.1"];
    for _ in 0..2 {
        let table = table(&patterns);
        assert_eq!(selected(&table, ".1.3.6.1.4.1.50.1.1"), [".1.3.6.1.4.1.50.1.1"]);
        assert_eq!(selected(&table, ".1.3.6.1.4.1.50.1.2"), [".1.3.6.1.4.1.50.1*"]);
        assert_eq!(selected(&table, ".1.3.6.1.4.1.50.1"), [".1.3.6.1.4.1.50.1*"]);
        assert_eq!(selected(&table, ".1.3.6.1.4.1.7"), [".1.3.6.1.4.1*"]);
        patterns.reverse();
    }
}

#[test]
fn all_handlers_of_one_identifier_are_selected_in_order() {
    let table = table(&[".1.3.6.1.4.2.1*", ".1.3.6.1.4.2.1.*"]);
    assert_eq!(selected(&table, ".1.3.6.1.4.2.1.2"), [".1.3.6.1.4.2.1*", ".1.3.6.1.4.2.1.*"]);
}

// Net-SNMP would also execute the second handler.
#[test]
fn handler_is_not_selected_when_its_own_pattern_does_not_match() {
    let table = table(&[".1.3.6.1.4.2.1*", ".1.3.6.1.4.2.1.*"]);
    assert_eq!(selected(&table, ".1.3.6.1.4.2.1"), [".1.3.6.1.4.2.1*"]);
}

#[test]
fn last_default_handler_is_selected_first() {
    let mut table = HandlerTable::default();
    table.add(OidPattern::Default, "first");
    table.add(OidPattern::Default, "second");
    assert_eq!(selected(&table, ".1.3.6.1.4.3"), ["second", "first"]);
}

#[test]
fn no_handler_is_selected_from_an_empty_table() {
    assert!(selected(&HandlerTable::default(), ".1.3").is_empty());
}

#[test]
fn pattern_is_rejected_when_wildcard_is_not_at_the_end() {
    for text in [".1.3.*.6", ".1.3.6**", "*.1.3", ".1.3*.*"] {
        let error = pattern(text).unwrap_err();
        assert_eq!(error, OidPatternError::MisplacedWildcard(text.to_owned()));
        let expected = format!("invalid notification {text:?}: `*` is permitted only at the end");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn pattern_is_rejected_when_identifier_is_invalid() {
    for text in ["", "*", ".*", "nosuch", ".1.3.4294967296"] {
        let error = pattern(text).unwrap_err();
        assert!(matches!(error, OidPatternError::Oid(_, _)), "{text:?}: {error}");
        assert!(error.to_string().starts_with(&format!("invalid notification {text:?}: ")), "{error}");
    }
}
