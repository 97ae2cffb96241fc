//! Tests of the translation and of its limits.

mod oracle;
mod types;

use super::*;

fn accepts(pattern: &str, value: &str) -> bool {
    Pattern::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}")).matches(value)
}

/// Each pattern with values that conform and values that do not.
const CASES: &[(&str, &[&str], &[&str])] = &[
    // Whole values only.
    ("", &[""], &["a", "\n"]),
    ("b", &["b"], &["ab", "bc", "b\n", "\nb", ""]),
    ("a|b", &["a", "b"], &["ab", "ac", "cb", ""]),
    ("a|", &["a", ""], &["b"]),
    ("(|a)b", &["b", "ab"], &["a"]),
    ("()", &[""], &["()"]),
    // These characters have no meaning outside classes.
    ("^a$", &["^a$"], &["a"]),
    ("a$b", &["a$b"], &["ab", "a"]),
    ("a-b", &["a-b"], &["ab"]),
    ("a&&b~~c#d e", &["a&&b~~c#d e"], &["a"]),
    ("\"'/<>=!@%_,:;`", &["\"'/<>=!@%_,:;`"], &[""]),
    ("\u{0}\u{10FFFF}é", &["\u{0}\u{10FFFF}é"], &["é"]),
    // The dot.
    (".", &["a", "é", "𝒳", "\u{0}", "\t", "\u{85}", "\u{2028}"], &["", "\n", "\r", "ab"]),
    // Quantifiers.
    ("a?", &["", "a"], &["aa"]),
    ("a*b+", &["b", "aabb"], &["", "a"]),
    ("a{2}", &["aa"], &["a", "aaa"]),
    ("a{2,}", &["aa", "aaaa"], &["a"]),
    ("a{1,2}", &["a", "aa"], &["", "aaa"]),
    ("a{0}b", &["b"], &["ab"]),
    ("a{0,0}", &[""], &["a"]),
    ("a{02,003}", &["aa", "aaa"], &["a", "aaaa"]),
    ("(ab){2}|c", &["abab", "c"], &["ab", "ababc"]),
    ("é{2}", &["éé"], &["é"]),
    // Escaped characters.
    (r"\n\r\t", &["\n\r\t"], &["nrt"]),
    (r"\\\|\.\?\*\+\(\)\{\}\-\[\]\^", &[r"\|.?*+(){}-[]^"], &["a"]),
    // Escaped classes.
    (r"\s", &[" ", "\t", "\n", "\r"], &["\u{b}", "\u{c}", "\u{85}", "\u{a0}", "\u{2003}", "s"]),
    (r"\S", &["\u{b}", "\u{a0}", "a"], &[" ", "\t", "\n", "\r"]),
    (r"\d", &["0", "9", "٣", "५"], &["a", "²", "Ⅷ", "½"]),
    (r"\D", &["a", "²"], &["0", "٣"]),
    (
        r"\w",
        &["a", "0", "é", "$", "+", "`", "²", "\u{301}"],
        &["_", "-", " ", ".", "\u{a0}", "\u{0}", "\u{200d}"],
    ),
    (r"\W", &["_", "-", " ", "\u{0}", "\u{378}"], &["a", "$"]),
    (r"\i", &["a", "Z", "_", ":", "é", "\u{200c}", "𐀀"], &["-", "0", ".", "·", "×", "÷", "\u{37e}", "$"]),
    (r"\I", &["-", "0", "·"], &["a", ":", "_"]),
    (r"\c", &["a", ":", "-", ".", "0", "·", "\u{300}", "\u{2040}"], &[" ", "×", "/", ","]),
    (r"\C", &[" ", "×", "\u{203e}"], &["a", ":", "-", "·"]),
    (r"\p{Lu}\P{Lu}", &["Aa", "Ä1"], &["aA", "AA"]),
    (r"\p{L}\p{Nd}\p{Zs}\p{Sc}", &["a1 €", "ß٣\u{a0}$"], &["11 €"]),
    (r"\p{Cn}", &["\u{378}", "\u{ffff}"], &["a"]),
    (r"\p{Co}", &["\u{e000}", "\u{100000}"], &["a"]),
    (r"\p{IsBasicLatin}", &["\u{0}", "\u{7f}"], &["\u{80}"]),
    (r"\P{IsBasicLatin}", &["\u{80}"], &["\u{7f}"]),
    (r"\p{IsLatin-1Supplement}", &["\u{80}", "ÿ"], &["Ā", "\u{7f}"]),
    (r"\p{IsGreek}\p{IsGreekandCoptic}", &["αω"], &["aα"]),
    (r"\p{IsCombiningMarksforSymbols}", &["\u{20d0}", "\u{20ff}"], &["\u{2100}"]),
    (r"\p{IsPrivateUse}", &["\u{e000}", "\u{f0000}", "\u{10fffd}"], &["\u{10ffff}", "a"]),
    (r"\P{IsPrivateUse}", &["a"], &["\u{e000}"]),
    (r"\p{IsSupplementaryPrivateUseArea-B}", &["\u{10ffff}"], &["\u{fffff}"]),
    // Classes.
    ("[abc]", &["a", "c"], &["d", "", "ab"]),
    ("[^abc]", &["d", "\n", "^"], &["a", ""]),
    ("[a^]", &["a", "^"], &["b"]),
    ("[^^]", &["a"], &["^"]),
    ("[a-c]", &["b"], &["-", "d"]),
    ("[-a]", &["-", "a"], &["b"]),
    ("[a-]", &["-", "a"], &["b"]),
    ("[^-a]", &["b"], &["-", "a"]),
    ("[-]", &["-"], &["a"]),
    ("[a-c-e]", &["b", "-", "e"], &["d"]),
    (r"[\d-x]", &["1", "-", "x"], &["a"]),
    (r"[a\-z]", &["a", "-", "z"], &["b"]),
    (r"[\--/]", &["-", ".", "/"], &["a"]),
    (r"[+-\-]", &["+", ",", "-"], &["a"]),
    (r"[.?*+(){}|$&~]", &[".", "?", "(", "}", "|", "$", "&", "~"], &["a", "\\"]),
    ("[a&&b]", &["a", "b", "&"], &["c"]),
    ("[a~~b]", &["a", "b", "~"], &["c"]),
    ("[:alpha:]", &[":", "a", "p"], &["b"]),
    (r"[\]\[\\]", &["]", "[", "\\"], &["a"]),
    (r"[\s\S]", &["a", " "], &[""]),
    (r"[^\s\d]", &["a", "-"], &["1", " "]),
    (r"[\i-[:]]", &["a", "_"], &[":", "1"]),
    (r"[\c-[\d]]", &["a", "-"], &["1", " "]),
    (r"[\p{L}\p{Nd}_]", &["é", "1", "_"], &["-"]),
    (r"[\P{L}]", &["1"], &["a"]),
    (r"[^\P{L}]", &["a"], &["1"]),
    (r"[\p{IsGreek}a]", &["α", "a"], &["b"]),
    ("[é-ü]", &["é", "ö"], &["a"]),
    // Subtraction.
    ("[a-z-[aeiou]]", &["b", "z"], &["a", "u", "-", "["]),
    ("[^a-z-[0-9]]", &["A", "-"], &["a", "5"]),
    ("[a-z-[^aeiou]]", &["a", "u"], &["b", "A"]),
    ("[^a-z-[^0-9]]", &["5"], &["a", "A"]),
    ("[a-z-[b-y-[m]]]", &["a", "z", "m"], &["b", "y", "l"]),
    ("[a--[a]]", &["-"], &["a"]),
    ("[--[a]]", &["-"], &["a"]),
    ("[a-[a]]?", &[""], &["a"]),
    ("[a-z-[aeiou]]+x", &["bcx"], &["bax"]),
];

#[test]
fn values_conform_as_xml_schema_defines() {
    for (pattern, conforming, others) in CASES {
        for value in *conforming {
            assert!(accepts(pattern, value), "{pattern:?} does not accept {value:?}");
        }
        for value in *others {
            assert!(!accepts(pattern, value), "{pattern:?} accepts {value:?}");
        }
    }
}

#[test]
fn invalid_patterns_are_refused_at_their_place() {
    use PatternReason::*;
    let cases: &[(&str, usize, PatternReason)] = &[
        // Syntax of other languages.
        ("a*?", 2, NothingToRepeat),
        ("a+?", 2, NothingToRepeat),
        ("a??", 2, NothingToRepeat),
        ("a{2}?", 4, NothingToRepeat),
        ("a*+", 2, NothingToRepeat),
        ("a(?=b)", 2, NothingToRepeat),
        ("a(?!b)", 2, NothingToRepeat),
        ("(?<=a)b", 1, NothingToRepeat),
        ("(?i)a", 1, NothingToRepeat),
        ("(?:a)", 1, NothingToRepeat),
        ("(?P<n>a)", 1, NothingToRepeat),
        (r"(a)\1", 3, UnknownEscape),
        (r"\0", 0, UnknownEscape),
        (r"\bа", 0, UnknownEscape),
        (r"\Aa\z", 0, UnknownEscape),
        (r"\$", 0, UnknownEscape),
        (r"é\/", 2, UnknownEscape),
        (r"\x41", 0, UnknownEscape),
        (r"\u0041", 0, UnknownEscape),
        (r"\ ", 0, UnknownEscape),
        (r"\Q.\E", 0, UnknownEscape),
        (r"\h", 0, UnknownEscape),
        (r"[\b]", 1, UnknownEscape),
        (r"[a\$]", 2, UnknownEscape),
        ("[[:alpha:]]", 1, UnescapedBracketInClass),
        // Quantifiers.
        ("*", 0, NothingToRepeat),
        ("a|*", 2, NothingToRepeat),
        ("(+)", 1, NothingToRepeat),
        ("{2}", 0, NothingToRepeat),
        ("a{2}{3}", 4, NothingToRepeat),
        ("a{", 1, InvalidQuantity),
        ("a{}", 1, InvalidQuantity),
        ("a{,2}", 1, InvalidQuantity),
        ("a{2", 1, InvalidQuantity),
        ("a{2,", 1, InvalidQuantity),
        ("a{3,2}", 1, InvalidQuantity),
        ("a{-1}", 1, InvalidQuantity),
        ("a{1 }", 1, InvalidQuantity),
        ("a{x}", 1, InvalidQuantity),
        ("a{٣}", 1, InvalidQuantity),
        // Groups and brackets.
        ("a)", 1, UnescapedMetacharacter),
        ("(a))", 3, UnescapedMetacharacter),
        ("a]", 1, UnescapedMetacharacter),
        ("a}", 1, UnescapedMetacharacter),
        ("(a", 2, UnclosedGroup),
        ("((a)", 4, UnclosedGroup),
        ("\\", 0, UnknownEscape),
        // Classes.
        ("[", 1, UnclosedClass),
        ("[a", 2, UnclosedClass),
        ("[a-", 3, UnclosedClass),
        ("[a-z-[b]", 8, UnclosedClass),
        ("[]", 0, EmptyClass),
        ("[]a]", 0, EmptyClass),
        ("[^]", 0, EmptyClass),
        ("[-[a]]", 0, EmptyClass),
        ("[^-[a]]", 0, EmptyClass),
        ("[a-[]]", 0, EmptyClass),
        ("[z-a]", 1, InvalidRange),
        (r"[a-\d]", 1, InvalidRange),
        ("[a--]", 1, InvalidRange),
        ("[--z]", 1, InvalidRange),
        ("[a-z-[b]c]", 8, TextAfterSubtraction),
        ("[a[b]]", 2, UnescapedBracketInClass),
        // Properties.
        (r"\p", 0, UnknownProperty),
        (r"\pL", 0, UnknownProperty),
        (r"\p{", 0, UnknownProperty),
        (r"\p{}", 0, UnknownProperty),
        (r"\p{Cs}", 0, UnknownProperty),
        (r"\p{lu}", 0, UnknownProperty),
        (r"\p{Greek}", 0, UnknownProperty),
        (r"\p{Letter}", 0, UnknownProperty),
        (r"\p{^L}", 0, UnknownProperty),
        (r"\p{IsNoSuchBlock}", 0, UnknownProperty),
        (r"\p{Is}", 0, UnknownProperty),
        (r"\p{IsHighSurrogates}", 0, UnknownProperty),
        (r"[\p{Isbasiclatin}]", 1, UnknownProperty),
    ];
    for &(pattern, offset, reason) in cases {
        assert_eq!(Pattern::new(pattern).err(), Some(PatternError { offset, reason }), "{pattern:?}");
    }
}

#[test]
fn every_block_is_found_and_compiles() {
    for name in ["Adlam", "BasicLatin", "Greek", "ZnamennyMusicalNotation"] {
        assert!(accepts(&format!(r"[\p{{Is{name}}}\P{{Is{name}}}]"), "a"), "{name}");
    }
    assert!(blocks::BLOCKS.is_sorted_by(|(first, ..), (second, ..)| first < second));
    for &(name, first, last) in blocks::BLOCKS {
        assert!(first < last && char::from_u32(first).is_some() && char::from_u32(last).is_some(), "{name}");
        assert_eq!(blocks::find_block(name), Some((first, last)));
    }
}

#[test]
fn limits_are_accepted_and_one_more_is_refused() {
    let reason = |pattern: &str| Pattern::new(pattern).err().map(|error| error.reason);

    assert_eq!(reason(&"a".repeat(MAX_PATTERN)), None);
    assert_eq!(reason(&"a".repeat(MAX_PATTERN + 1)), Some(PatternReason::TooLong));
    assert_eq!(reason(&format!("{}é", "a".repeat(MAX_PATTERN - 1))), Some(PatternReason::TooLong));

    // Each level is a group, its repetition, a branch and its pieces.
    let groups = |depth: usize| format!("{}a{}", "(b|c".repeat(depth), "d)?e".repeat(depth));
    assert_eq!(reason(&groups(MAX_PATTERN_NESTING)), None);
    assert_eq!(reason(&groups(MAX_PATTERN_NESTING + 1)), Some(PatternReason::TooDeep));
    let classes = |depth: usize| format!("{}[b]{}", "[a-".repeat(depth - 1), "]".repeat(depth - 1));
    assert_eq!(reason(&classes(MAX_PATTERN_NESTING)), None);
    assert_eq!(reason(&classes(MAX_PATTERN_NESTING + 1)), Some(PatternReason::TooDeep));
    let both = |depth: usize| format!("{}{}{}", "(b|c".repeat(25), classes(depth - 25), ")*".repeat(25));
    assert_eq!(reason(&both(MAX_PATTERN_NESTING)), None);
    assert_eq!(reason(&both(MAX_PATTERN_NESTING + 1)), Some(PatternReason::TooDeep));

    for fitting in [r"\w{1,255}", r"\p{L}{0,255}", r"\d{1,255}", r"\S{1,255}", ".{1,1024}", r"[a-z\-]{1,255}"]
    {
        assert_eq!(reason(fitting), None, "{fitting}");
    }
    for large in ["a{4294967295}", "a{99999999999999999999}", "((a{1000}){1000}){1000}", r"\w{1,1024}"] {
        assert_eq!(reason(large), Some(PatternReason::CompiledTooLarge), "{large}");
    }
    assert_eq!(reason("((()*){4294967295}|(a{0}){4294967295}){4294967295}"), None);
}

#[test]
fn error_names_place_and_reason() {
    let error = Pattern::new("a*?").unwrap_err();
    assert_eq!(error.to_string(), "invalid pattern at octet 2: quantifier without anything to repeat");
    assert!(PatternReason::TooLong.as_str().contains(&MAX_PATTERN.to_string()));
    assert!(PatternReason::TooDeep.as_str().contains(&MAX_PATTERN_NESTING.to_string()));
    assert!(
        PatternReason::CompiledTooLarge.as_str().contains(&format!(" {} MiB", MAX_COMPILED_PATTERN >> 20))
    );
    assert!(PatternReason::AllTooLarge.as_str().contains(&format!(" {} MiB", MAX_COMPILED_PATTERNS >> 20)));
}
