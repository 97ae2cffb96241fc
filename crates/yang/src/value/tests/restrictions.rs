//! Patterns, and the errors that restrictions state.

use super::*;

fn statements(app_tag: Option<&str>, message: Option<&str>) -> ErrorStatements {
    ErrorStatements { app_tag: app_tag.map(Into::into), message: message.map(Into::into) }
}

#[test]
fn value_conforms_to_all_patterns() {
    let inverted = PatternRestriction { is_inverted: true, ..pattern("[xX][mM][lL].*") };
    let kind = TypeKind::String {
        length: Some(length(&[(1, 10)])),
        patterns: vec![pattern("[a-z_][a-z0-9_.-]*"), inverted],
    };
    check(
        &kind,
        &[
            ("enabled", Ok("enabled")),
            ("10-mbit", Err(ValueReason::PatternMismatch)),
            ("xml-element", Err(ValueReason::InvalidLength)),
            ("xml-e", Err(ValueReason::PatternMismatch)),
            ("", Err(ValueReason::InvalidLength)),
        ],
    );
}

#[test]
fn patterns_of_two_types_are_not_confused() {
    let string = |expressions: &[&str]| TypeKind::String {
        length: None,
        patterns: expressions.iter().map(|expression| pattern(expression)).collect(),
    };
    let kinds =
        [string(&["a.*", ".*b"]), TypeKind::Boolean, string(&[]), string(&[".*b"]), string(&["c", "a.*"])];
    let (schema, types) = schema_of(kinds);
    let accepting = |text: &str| -> Vec<usize> {
        (0..types.len()).filter(|index| read(&schema, types[*index], text).is_ok()).collect()
    };
    assert_eq!(accepting("ab"), [0, 2, 3]);
    assert_eq!(accepting("b"), [2, 3]);
    assert_eq!(accepting("a"), [2]);
    assert_eq!(accepting("c"), [2]);
    assert_eq!(accepting("true"), [1, 2]);
}

#[test]
fn type_with_an_invalid_pattern_accepts_nothing_and_is_reported() {
    let string = |expression: &str, is_inverted| TypeKind::String {
        length: None,
        patterns: vec![PatternRestriction { is_inverted, ..pattern(expression) }],
    };
    let (schema, types) =
        schema_of([string("a*?", false), string("a*?", true), string("(", false), string("a", false)]);
    for index in [0, 1, 2] {
        assert_eq!(read(&schema, types[index], "a"), Err(ValueReason::UnusablePattern));
    }
    assert!(read(&schema, types[3], "a").is_ok());
    let reasons: Vec<_> =
        schema.invalid_patterns().into_iter().map(|(text, error)| (text, error.reason)).collect();
    assert_eq!(reasons, [("a*?", PatternReason::NothingToRepeat), ("(", PatternReason::UnclosedGroup)]);
}

#[test]
fn patterns_of_a_schema_are_limited_together() {
    // Each needs more than 8 MiB, so that it counts as 32 MiB.
    let patterns: Vec<_> = (0..5).map(|index| pattern(&format!(r"{index}\w{{1,160}}"))).collect();
    let (schema, types) =
        schema_of(patterns.into_iter().map(|it| TypeKind::String { length: None, patterns: vec![it] }));
    let outcomes: Vec<_> =
        (0..5).map(|index| read(&schema, types[index], &format!("{index}a")).is_ok()).collect();
    assert_eq!(outcomes, [true, true, true, true, false]);
    let reasons: Vec<_> = schema.invalid_patterns().into_iter().map(|(_, error)| error.reason).collect();
    assert_eq!(reasons, [PatternReason::AllTooLarge]);
}

#[test]
fn error_has_the_statements_of_the_restriction_that_refuses() {
    let length =
        LengthRestriction { error: statements(Some("len"), Some("1 to 4 characters")), ..length(&[(1, 4)]) };
    let first = PatternRestriction { error: statements(Some("first"), None), ..pattern("[a-z]*") };
    let second = PatternRestriction { error: statements(None, Some("no b")), ..pattern("[^b]*") };
    let string =
        TypeKind::String { length: Some(length.clone()), patterns: vec![first, second, pattern("[^c]*")] };
    let range =
        RangeRestriction { error: statements(Some("rng"), Some("small numbers only")), ..range(&[(1, 9)]) };
    let integer = TypeKind::Integer { kind: IntegerKind::Uint8, range: Some(range.clone()) };
    let decimal = TypeKind::Decimal64 { fraction_digits: 1, range: Some(range) };
    let binary = TypeKind::Binary { length: Some(length) };
    let (schema, types) = schema_of([string, integer, decimal, binary, TypeKind::integer(IntegerKind::Int8)]);
    let error = |index: usize, text: &str| {
        let error = schema.canonical(types[index], text, &ModuleNames::new(&schema)).unwrap_err();
        let text = error.to_string();
        (error.reason, error.app_tag.map(String::from), error.message.map(String::from), text)
    };
    let expected = |reason: ValueReason, app_tag: Option<&str>, message: Option<&str>| {
        let text = message.unwrap_or(reason.as_str()).to_owned();
        (reason, app_tag.map(str::to_owned), message.map(str::to_owned), text)
    };
    use ValueReason::*;
    assert_eq!(error(0, "abcde"), expected(InvalidLength, Some("len"), Some("1 to 4 characters")));
    assert_eq!(error(0, "B"), expected(PatternMismatch, Some("first"), None));
    assert_eq!(error(0, "b"), expected(PatternMismatch, None, Some("no b")));
    assert_eq!(error(0, "c"), expected(PatternMismatch, None, None));
    assert_eq!(error(0, "\u{1}"), expected(InvalidCharacter, None, None));
    for text in ["0", "10", "300"] {
        assert_eq!(error(1, text), expected(OutOfRange, Some("rng"), Some("small numbers only")));
    }
    assert_eq!(error(1, "x"), expected(NotANumber, None, None));
    assert_eq!(error(2, "1.0"), expected(OutOfRange, Some("rng"), Some("small numbers only")));
    assert_eq!(error(3, ""), expected(InvalidLength, Some("len"), Some("1 to 4 characters")));
    assert_eq!(error(4, "128"), expected(OutOfRange, None, None));
}
