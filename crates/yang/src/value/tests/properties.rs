//! Properties of values of all types.

use proptest::prelude::*;

use super::*;

/// Types that need no nodes or identities, with and without restrictions, and a union of some.
fn all_types() -> (Schema, Vec<TypeId>, TypeId) {
    let mut builder = SchemaBuilder::new();
    builder.add_module(Module::new("example", "urn:example", "ex"));
    let name = |name: &str, value| EnumValue { name: name.into(), value };
    let bit = |name: &str, position| Bit { name: name.into(), position };
    let mut kinds: Vec<TypeKind> = IntegerKind::ALL.into_iter().map(TypeKind::integer).collect();
    kinds.extend([
        TypeKind::Decimal64 { fraction_digits: 1, range: None },
        TypeKind::Decimal64 { fraction_digits: 18, range: None },
        TypeKind::string(),
        TypeKind::String { length: Some(length(&[(2, 4)])), patterns: vec![pattern(r"[\w-[0-4]]*")] },
        TypeKind::Boolean,
        TypeKind::Enumeration { values: vec![name("a", 1), name("b c", 2)] },
        TypeKind::Bits { bits: vec![bit("a", 0), bit("b", 1), bit("c", 7)] },
        TypeKind::Binary { length: None },
        TypeKind::Empty,
        TypeKind::InstanceIdentifier { require_instance: false },
    ]);
    let types: Vec<TypeId> = kinds.into_iter().map(|kind| builder.add_type(Type::new(kind))).collect();
    let members = [types[4], types[8], types[14], types[15]];
    let union = builder.add_type(Type::new(TypeKind::Union { members: members.to_vec() }));
    (builder.build().unwrap(), types, union)
}

proptest! {
    #[test]
    fn canonical_text_is_its_own_canonical_text(
        text in prop_oneof![
            any::<String>(),
            r"[ +-]?[0-9]{0,21}(\.[0-9]{0,20})?[ \n]?",
            "[abc ]{0,6}",
            "[A-Za-z0-9+/ \n]{0,9}={0,3}",
            r#"[/a:\[\]='"e.0]{0,12}"#,
        ],
    ) {
        let (schema, types, union) = all_types();
        for value_type in types {
            let Ok(canonical) = read(&schema, value_type, &text) else { continue };
            let again = schema.canonical(value_type, &canonical, &ModuleNames::new(&schema));
            prop_assert!(matches!(again, Ok(Cow::Borrowed(_))), "{:?} {:?}", text, canonical);
            prop_assert_eq!(again.unwrap(), canonical.as_str());
        }
        if let Ok(canonical) = read(&schema, union, &text) {
            prop_assert_eq!(read(&schema, union, &canonical), Ok(canonical.clone()), "{:?}", text);
        }
    }

    #[test]
    fn integer_has_the_value_that_the_standard_library_parses(text in r"[+-]?[0-9]{1,20}") {
        let expected = text.parse::<i64>().ok().map(|number| number.to_string());
        prop_assert_eq!(canonical(TypeKind::integer(IntegerKind::Int64), &text).ok(), expected);
        // The standard library parses no negative zero as an unsigned number.
        let unsigned = if text.trim_matches(['-', '0']).is_empty() { "0" } else { &text };
        let expected = unsigned.parse::<u64>().ok().map(|number| number.to_string());
        prop_assert_eq!(canonical(TypeKind::integer(IntegerKind::Uint64), &text).ok(), expected);
    }

    #[test]
    fn decimal_has_the_digits_of_its_scaled_number(number in any::<i64>(), fraction_digits in 1u8..=18) {
        let digits = format!("{:0>20}", number.unsigned_abs());
        let (whole, fraction) = digits.split_at(20 - usize::from(fraction_digits));
        let sign = if number < 0 { "-" } else { "" };
        let whole = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        let or_zero = |digits: &str| if digits.is_empty() { "0".to_owned() } else { digits.to_owned() };
        let expected = format!("{sign}{}.{}", or_zero(whole), or_zero(fraction));
        let kind = TypeKind::Decimal64 { fraction_digits, range: None };
        let scaled = i128::from(number) * 10i128.pow(fraction_digits.into());
        let is_whole_number_a_value = canonical(kind.clone(), &number.to_string()).is_ok();
        prop_assert_eq!(is_whole_number_a_value, i64::try_from(scaled).is_ok());
        let padded = format!("{sign}0{}.{}00", or_zero(whole), or_zero(fraction));
        prop_assert_eq!(canonical(kind, &padded), Ok(expected));
    }

    #[test]
    fn string_has_as_many_characters_as_the_standard_library_counts(text in r"[a-z\u{80}-\u{ffff}]{0,600}", max in 0u64..600) {
        let kind = TypeKind::String { length: Some(length(&[(0, max)])), patterns: Vec::new() };
        let is_legal = !text.chars().any(|it| matches!(u32::from(it), 0xfdd0..=0xfdef | 0xfffe..=0xffff));
        let is_short = text.chars().count() as u64 <= max;
        prop_assert_eq!(canonical(kind, &text).is_ok(), is_legal && is_short);
    }

    #[test]
    fn binary_has_the_octets_of_its_digits(octets in proptest::collection::vec(any::<u8>(), 0..20)) {
        let bits: String = octets.iter().map(|octet| format!("{octet:08b}")).collect();
        let alphabet: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
        let mut text = String::new();
        for start in (0..bits.len()).step_by(6) {
            let digits: String = bits.chars().skip(start).take(6).collect();
            let group = format!("{digits:0<6}");
            text.push(alphabet[usize::from_str_radix(&group, 2).unwrap()]);
        }
        while !text.len().is_multiple_of(4) {
            text.push('=');
        }
        let exact = length(&[(octets.len() as u64, octets.len() as u64)]);
        prop_assert_eq!(canonical(TypeKind::Binary { length: Some(exact) }, &text), Ok(text.clone()));
    }
}
