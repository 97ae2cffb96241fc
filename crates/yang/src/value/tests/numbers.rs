//! Integers and decimal numbers at the edges of their types.

use super::*;
use ValueReason::*;

#[test]
fn integers_reach_the_bounds_of_their_type_and_no_further() {
    for kind in IntegerKind::ALL {
        let Interval { min, max } = kind.bounds();
        let kind = TypeKind::integer(kind);
        let (min_text, max_text) = (min.to_string(), max.to_string());
        let (below, above) = ((min - 1).to_string(), (max + 1).to_string());
        check(
            &kind,
            &[
                (&min_text, Ok(&min_text)),
                (&max_text, Ok(&max_text)),
                (&below, Err(OutOfRange)),
                (&above, Err(OutOfRange)),
                ("0", Ok("0")),
                ("127", Ok("127")),
                (&format!("{max_text}0"), Err(OutOfRange)),
                (&format!("+000{max_text}"), Ok(&max_text)),
            ],
        );
    }
}

#[test]
fn integers_have_one_canonical_text() {
    let huge = "9".repeat(1000);
    let zeros = "0".repeat(1000);
    check(
        &TypeKind::integer(IntegerKind::Int32),
        &[
            ("-0", Ok("0")),
            ("+0", Ok("0")),
            ("00", Ok("0")),
            (&zeros, Ok("0")),
            ("-000", Ok("0")),
            ("+5", Ok("5")),
            ("-5", Ok("-5")),
            ("-05", Ok("-5")),
            ("007", Ok("7")),
            ("010", Ok("10")),
            ("089", Ok("89")),
            (" 5", Ok("5")),
            ("5\n", Ok("5")),
            ("\t\r\n +5 ", Ok("5")),
            (&huge, Err(OutOfRange)),
            (&format!("-{huge}"), Err(OutOfRange)),
            ("170141183460469231731687303715884105727", Err(OutOfRange)),
            ("-170141183460469231731687303715884105728", Err(OutOfRange)),
            ("340282366920938463463374607431768211456", Err(OutOfRange)),
            ("", Err(NotANumber)),
            (" ", Err(NotANumber)),
            ("+", Err(NotANumber)),
            ("-", Err(NotANumber)),
            ("- 1", Err(NotANumber)),
            ("+-1", Err(NotANumber)),
            ("--1", Err(NotANumber)),
            ("1-", Err(NotANumber)),
            ("1 2", Err(NotANumber)),
            ("1.0", Err(NotANumber)),
            ("1e3", Err(NotANumber)),
            ("1_000", Err(NotANumber)),
            ("0x1f", Err(NotANumber)),
            ("1f", Err(NotANumber)),
            ("٣", Err(NotANumber)),
            ("1\u{0}", Err(NotANumber)),
            ("\u{a0}1", Err(NotANumber)),
            ("\u{b}1", Err(NotANumber)),
        ],
    );
    check(
        &TypeKind::integer(IntegerKind::Uint8),
        &[("-0", Ok("0")), ("-1", Err(OutOfRange)), ("+255", Ok("255")), ("256", Err(OutOfRange))],
    );
}

#[test]
fn defaults_can_be_hexadecimal_or_octal() {
    let (schema, types) = schema_of([
        TypeKind::integer(IntegerKind::Int16),
        TypeKind::Decimal64 { fraction_digits: 2, range: None },
    ]);
    let read = |value_type: TypeId, text: &str| {
        let result = schema.canonical_default(value_type, text, &ModuleNames::new(&schema));
        result.map(String::from).map_err(|error| error.reason)
    };
    for (text, expected) in [
        ("0x1F", Ok("31")),
        ("-0xf", Ok("-15")),
        ("+0x0", Ok("0")),
        ("-0x0", Ok("0")),
        ("0x7fff", Ok("32767")),
        ("-0x8000", Ok("-32768")),
        ("0x8000", Err(OutOfRange)),
        ("0x", Err(NotANumber)),
        ("0xg", Err(NotANumber)),
        ("0X1F", Err(NotANumber)),
        ("052", Ok("42")),
        ("-010", Ok("-8")),
        ("00", Ok("0")),
        ("08", Err(NotANumber)),
        ("0", Ok("0")),
        ("-0", Ok("0")),
        ("4711", Ok("4711")),
        ("1f", Err(NotANumber)),
    ] {
        assert_eq!(read(types[0], text), expected.map(str::to_owned), "{text}");
    }
    assert_eq!(read(types[1], "010.50").as_deref(), Ok("10.5"));
    assert_eq!(read(types[1], "0x1"), Err(NotANumber));
}

#[test]
fn range_refuses_numbers_between_its_parts() {
    let kind =
        TypeKind::Integer { kind: IntegerKind::Int32, range: Some(range(&[(-3, -1), (4, 4), (10, 20)])) };
    let cases = (-5..=25).map(|number: i32| (number.to_string(), matches!(number, -3..=-1 | 4 | 10..=20)));
    let (schema, types) = schema_of([kind]);
    for (text, is_permitted) in cases {
        assert_eq!(read(&schema, types[0], &text).is_ok(), is_permitted, "{text}");
    }
    assert_eq!(read(&schema, types[0], "99999999999999999999999"), Err(OutOfRange));
    assert_eq!(read(&schema, types[0], "-0x4"), Err(NotANumber));
}

#[test]
fn decimals_reach_19_digits_and_no_further() {
    for fraction_digits in 1..=18u8 {
        let kind = TypeKind::Decimal64 { fraction_digits, range: None };
        let point = 19 - usize::from(fraction_digits);
        let with_point = |digits: &str| {
            let (whole, fraction) = digits.split_at(point);
            format!("{whole}.{fraction}")
        };
        let max = with_point("9223372036854775807");
        let min = format!("-{}", with_point("9223372036854775808"));
        let above = with_point("9223372036854775808");
        let below = format!("-{}", with_point("9223372036854775809"));
        let finest = format!("0.{}1", "0".repeat(usize::from(fraction_digits) - 1));
        let too_fine = format!("0.{}1", "0".repeat(fraction_digits.into()));
        check(
            &kind,
            &[
                (&max, Ok(&max)),
                (&min, Ok(&min)),
                (&above, Err(OutOfRange)),
                (&below, Err(OutOfRange)),
                (&finest, Ok(&finest)),
                (&too_fine, Err(TooManyFractionDigits)),
                (&format!("{too_fine}0"), Err(TooManyFractionDigits)),
                (&format!("{finest}000"), Ok(&finest)),
                ("0.0", Ok("0.0")),
            ],
        );
    }
}

#[test]
fn decimals_have_one_canonical_text() {
    let kind = TypeKind::Decimal64 { fraction_digits: 2, range: None };
    let nines = "9".repeat(500);
    check(
        &kind,
        &[
            ("1", Ok("1.0")),
            ("+1.5", Ok("1.5")),
            ("-1.50", Ok("-1.5")),
            ("01.05", Ok("1.05")),
            ("-0", Ok("0.0")),
            ("-0.00", Ok("0.0")),
            ("+0.0", Ok("0.0")),
            ("0", Ok("0.0")),
            ("00.10", Ok("0.1")),
            ("-0.01", Ok("-0.01")),
            ("-00.01", Ok("-0.01")),
            ("10.00", Ok("10.0")),
            ("100", Ok("100.0")),
            ("1.2300000", Ok("1.23")),
            (" 3.14\n", Ok("3.14")),
            ("1.234", Err(TooManyFractionDigits)),
            (&nines, Err(OutOfRange)),
            (&format!("1.{nines}"), Err(TooManyFractionDigits)),
            ("", Err(NotANumber)),
            (".", Err(NotANumber)),
            (".5", Err(NotANumber)),
            ("5.", Err(NotANumber)),
            ("-.5", Err(NotANumber)),
            ("-", Err(NotANumber)),
            ("1.2.3", Err(NotANumber)),
            ("1.-2", Err(NotANumber)),
            ("1.23x", Err(NotANumber)),
            ("1.234x", Err(NotANumber)),
            ("1,5", Err(NotANumber)),
            ("1e2", Err(NotANumber)),
            ("1 .5", Err(NotANumber)),
            ("1. 5", Err(NotANumber)),
            ("NaN", Err(NotANumber)),
            ("0x1", Err(NotANumber)),
        ],
    );
    let limited = TypeKind::Decimal64 { fraction_digits: 2, range: Some(range(&[(100, 314), (1000, 1000)])) };
    check(
        &limited,
        &[
            ("1", Ok("1.0")),
            ("0.99", Err(OutOfRange)),
            ("3.14", Ok("3.14")),
            ("3.15", Err(OutOfRange)),
            ("10", Ok("10.0")),
        ],
    );
}
