//! Strings, booleans, enumerations, bits, binary and empty.

use super::*;
use ValueReason::*;

#[test]
fn string_is_borrowed_as_it_is() {
    let long = "é".repeat(300);
    let texts =
        ["", " a ", "a\tb\r\nc", "\u{7f}\u{80}\u{9f}\u{a0}", "\u{d7ff}\u{e000}\u{10fffd}", "0x1", &long];
    for text in texts {
        check(&TypeKind::string(), &[(text, Ok(text))]);
    }
}

#[test]
fn string_contains_no_control_characters_and_noncharacters() {
    for code in (0..=0x24u32).chain(0xfdc8..=0xfdf8).chain(0xfff8..=0x10008).chain(0x1fff8..=0x20008) {
        let Some(character) = char::from_u32(code) else { continue };
        let is_legal = match code {
            0x9 | 0xa | 0xd => true,
            0..0x20 | 0xfdd0..=0xfdef => false,
            _ => code & 0xffff < 0xfffe,
        };
        // On both sides of the end of a block.
        for text in [format!("{character}"), format!("{}{character}é", "a".repeat(254))] {
            let expected = if is_legal { Ok(text.clone()) } else { Err(InvalidCharacter) };
            assert_eq!(canonical(TypeKind::string(), &text), expected, "U+{code:04X}");
        }
    }
    assert_eq!(canonical(TypeKind::string(), "a\u{10ffff}"), Err(InvalidCharacter));
    assert_eq!(canonical(TypeKind::string(), &format!("{}\u{0}", "é".repeat(1000))), Err(InvalidCharacter));
}

#[test]
fn length_counts_characters() {
    let kind = TypeKind::String { length: Some(length(&[(0, 1), (3, 4), (255, 256)])), patterns: Vec::new() };
    let (schema, types) = schema_of([kind]);
    for character in ["a", "é", "€", "𝒳", "\u{f000}"] {
        for count in 0..=260 {
            let is_permitted = matches!(count, 0 | 1 | 3 | 4 | 255 | 256);
            let result = read(&schema, types[0], &character.repeat(count));
            assert_eq!(result.err(), (!is_permitted).then_some(InvalidLength), "{count} {character}");
        }
    }
}

#[test]
fn booleans_are_two_words() {
    check(&TypeKind::Boolean, &[("true", Ok("true")), ("false", Ok("false"))]);
    for text in ["", "1", "0", "True", "TRUE", "true ", " false", "yes"] {
        check(&TypeKind::Boolean, &[(text, Err(NotBoolean))]);
    }
}

#[test]
fn enumeration_accepts_its_names_only() {
    let name = |name: &str, value| EnumValue { name: name.into(), value };
    let values = vec![name("up", 1), name("down", 2), name("lower layer", -3), name("É", 7)];
    check(
        &TypeKind::Enumeration { values },
        &[
            ("up", Ok("up")),
            ("lower layer", Ok("lower layer")),
            ("É", Ok("É")),
            ("", Err(UnknownEnum)),
            ("Up", Err(UnknownEnum)),
            ("up ", Err(UnknownEnum)),
            ("u", Err(UnknownEnum)),
            ("1", Err(UnknownEnum)),
            ("lower  layer", Err(UnknownEnum)),
        ],
    );
}

#[test]
fn bits_are_in_the_order_of_their_positions() {
    let bit = |name: &str, position| Bit { name: name.into(), position };
    let bits = vec![bit("zero", 0), bit("a", 3), bit("b", 4), bit("last", u32::MAX)];
    check(
        &TypeKind::Bits { bits },
        &[
            ("", Ok("")),
            (" \t\r\n", Ok("")),
            ("a", Ok("a")),
            ("zero a b last", Ok("zero a b last")),
            ("last b a zero", Ok("zero a b last")),
            ("b  a", Ok("a b")),
            ("\na\tb ", Ok("a b")),
            ("a a", Err(DuplicateBit)),
            ("a b a", Err(DuplicateBit)),
            ("a,b", Err(UnknownBit)),
            ("A", Err(UnknownBit)),
            ("3", Err(UnknownBit)),
            ("a\u{a0}b", Err(UnknownBit)),
            ("ab", Err(UnknownBit)),
        ],
    );
}

#[test]
fn empty_has_no_text() {
    check(&TypeKind::Empty, &[("", Ok("")), (" ", Err(NotEmpty)), ("x", Err(NotEmpty))]);
}

#[test]
fn binary_is_base64_with_padding() {
    check(
        &TypeKind::Binary { length: None },
        &[
            ("", Ok("")),
            ("TQ==", Ok("TQ==")),
            ("TWE=", Ok("TWE=")),
            ("TWFu", Ok("TWFu")),
            ("+/+/", Ok("+/+/")),
            ("TWFuTQ==", Ok("TWFuTQ==")),
            // Bits that belong to no octet.
            ("TR==", Ok("TQ==")),
            ("T///TX==", Ok("T///TQ==")),
            ("TWH=", Ok("TWE=")),
            ("//==", Ok("/w==")),
            // White space.
            ("\n TWFu\r\n\tTQ==\n", Ok("TWFuTQ==")),
            ("T W\nE =", Ok("TWE=")),
            (" ", Ok("")),
            ("T", Err(NotBase64)),
            ("TQ", Err(NotBase64)),
            ("TQ=", Err(NotBase64)),
            ("TWE", Err(NotBase64)),
            ("TWFuT", Err(NotBase64)),
            ("====", Err(NotBase64)),
            ("T===", Err(NotBase64)),
            ("=", Err(NotBase64)),
            ("TQ==TQ==", Err(NotBase64)),
            ("TQ=a", Err(NotBase64)),
            ("=TQ=", Err(NotBase64)),
            ("TWF-", Err(NotBase64)),
            ("TWF_", Err(NotBase64)),
            ("TWF*", Err(NotBase64)),
            ("TWé", Err(NotBase64)),
            ("éé", Err(NotBase64)),
            ("TWF\u{0}", Err(NotBase64)),
            ("TWF\u{b}", Err(NotBase64)),
        ],
    );
}

#[test]
fn length_of_binary_counts_octets() {
    let kind = TypeKind::Binary { length: Some(length(&[(2, 3), (5, 5)])) };
    let texts = ["", "TQ==", "TWE=", "TWFu", "TWFuTQ==", "TWFuTWE=", "TWFuTWFu"];
    for (octets, text) in texts.into_iter().enumerate() {
        let expected = if matches!(octets, 2 | 3 | 5) { Ok(text) } else { Err(InvalidLength) };
        check(&kind, &[(text, expected)]);
    }
    check(&kind, &[(" T W E = ", Ok("TWE="))]);
}
