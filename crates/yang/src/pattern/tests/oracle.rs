//! Compares patterns with those of regexml, an independent implementation.

use std::collections::BTreeSet;

use portreeve_pattern_oracle::Oracle;
use proptest::prelude::*;

use super::super::Pattern;

/// Characters on the edges of ranges, categories and escapes.
const CHARACTERS: &str = "abcdez09_-.:^$&~#[]{}()|?*+\\/ \t\n\réÀα٣²€·𝒳\u{200c}\u{a0}";

fn character() -> impl Strategy<Value = char> {
    proptest::sample::select(CHARACTERS.chars().collect::<Vec<_>>())
}

/// A character as the pattern writes it outside a class or in one.
fn written(character: char) -> String {
    match character {
        '\\' | '|' | '.' | '-' | '^' | '?' | '*' | '+' | '{' | '}' | '(' | ')' | '[' | ']' => {
            format!("\\{character}")
        }
        '\n' => "\\n".into(),
        _ => character.into(),
    }
}

const ESCAPES: &[&str] = &[
    r"\s",
    r"\S",
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\i",
    r"\I",
    r"\c",
    r"\C",
    r"\p{L}",
    r"\P{L}",
    r"\p{Lu}",
    r"\p{Ll}",
    r"\p{Nd}",
    r"\p{P}",
    r"\P{Sc}",
    r"\p{Zs}",
    r"\p{IsBasicLatin}",
    r"\P{IsLatin-1Supplement}",
    r"\p{IsGreekandCoptic}",
    r"\p{IsMathematicalAlphanumericSymbols}",
];

fn escape() -> impl Strategy<Value = String> {
    proptest::sample::select(ESCAPES).prop_map(str::to_owned)
}

fn class() -> impl Strategy<Value = String> {
    let member = prop_oneof![
        character().prop_map(written),
        escape(),
        (character(), character()).prop_map(|(one, other)| format!(
            "{}-{}",
            written(one.min(other)),
            written(one.max(other))
        )),
    ];
    let members = (any::<bool>(), proptest::collection::vec(member, 1..4), 0..4).prop_map(
        |(negated, members, hyphen)| {
            let negation = if negated { "^" } else { "" };
            let (first, last) = [("", ""), ("", ""), ("-", ""), ("", "-")][hyphen as usize];
            format!("{negation}{first}{}{last}", members.concat())
        },
    );
    proptest::collection::vec(members, 1..4)
        .prop_map(|levels| format!("[{}{}", levels.join("-["), "]".repeat(levels.len())))
}

/// A pattern as a tree. Its text is for the translation, its meaning is below.
#[derive(Clone, Debug)]
enum Tree {
    /// The text of an atom that stands for one character.
    Atom(String),
    /// Branches of pieces: a tree, and the least and greatest number of its repetitions.
    Group(Vec<Vec<(Tree, usize, usize)>>),
}

const QUANTIFIERS: &[(&str, usize, usize)] = &[
    ("", 1, 1),
    ("?", 0, 1),
    ("*", 0, usize::MAX),
    ("+", 1, usize::MAX),
    ("{2}", 2, 2),
    ("{1,2}", 1, 2),
    ("{0,0}", 0, 0),
    ("{2,}", 2, usize::MAX),
];

impl Tree {
    fn text(&self) -> String {
        let branches = match self {
            Self::Atom(text) => return text.clone(),
            Self::Group(branches) => branches,
        };
        let piece = |(tree, least, most): &(Self, usize, usize)| {
            let quantifier = QUANTIFIERS.iter().find(|(_, min, max)| (min, max) == (least, most)).unwrap().0;
            tree.text() + quantifier
        };
        let branches: Vec<String> =
            branches.iter().map(|pieces| pieces.iter().map(piece).collect()).collect();
        format!("({})", branches.join("|"))
    }

    fn repeats_groups(&self) -> bool {
        let Self::Group(branches) = self else { return false };
        branches.iter().flatten().any(|(tree, least, most)| {
            tree.repeats_groups() || (matches!(tree, Self::Group(_)) && (*least, *most) != (1, 1))
        })
    }

    /// Returns the places at which a match can end that starts at one of the given places.
    fn ends(&self, value: &[char], starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        match self {
            Self::Atom(text) => {
                let atom = Oracle::new(text).unwrap();
                let matches =
                    |start: &&usize| value.get(**start).is_some_and(|it| atom.matches(&it.to_string()));
                starts.iter().filter(matches).map(|start| start + 1).collect()
            }
            Self::Group(branches) => {
                let ends = |pieces: &Vec<(Self, usize, usize)>| {
                    pieces.iter().fold(starts.clone(), |starts, piece| repeated_ends(piece, value, starts))
                };
                branches.iter().flat_map(ends).collect()
            }
        }
    }
}

fn repeated_ends(piece: &(Tree, usize, usize), value: &[char], starts: BTreeSet<usize>) -> BTreeSet<usize> {
    let (tree, least, most) = piece;
    let required = (0..*least).fold(starts, |starts, _| tree.ends(value, &starts));
    let mut all = required.clone();
    let mut last = required;
    // More repetitions than characters add nothing.
    for _ in *least..(*most).min(least + value.len() + 1) {
        last = tree.ends(value, &last);
        all.extend(&last);
    }
    all
}

fn tree() -> impl Strategy<Value = Tree> {
    let atom = prop_oneof![
        4 => character().prop_map(|character| match character {
            '^' | '-' => character.into(),
            _ => written(character),
        }),
        1 => Just(".".to_owned()),
        2 => escape(),
        2 => class(),
    ];
    atom.prop_map(Tree::Atom).prop_recursive(3, 12, 4, |inner| {
        let piece = (inner, proptest::sample::select(QUANTIFIERS))
            .prop_map(|(tree, (_, least, most))| (tree, least, most));
        proptest::collection::vec(proptest::collection::vec(piece, 0..4), 1..3).prop_map(Tree::Group)
    })
}

proptest! {
    #[test]
    fn class_contains_the_characters_that_another_implementation_finds_in_it(class in class()) {
        let ours = Pattern::new(&class).unwrap();
        let oracle = Oracle::new(&class).unwrap();
        for character in CHARACTERS.chars() {
            let value = character.to_string();
            prop_assert_eq!(ours.matches(&value), oracle.matches(&value), "{:?} {:?}", class, value);
        }
    }

    #[test]
    fn pattern_accepts_what_its_definition_and_another_implementation_accept(
        tree in tree(),
        values in proptest::collection::vec(proptest::collection::vec(character(), 0..6), 8),
    ) {
        let text = tree.text();
        let ours = Pattern::new(&text).unwrap();
        let oracle = Oracle::new(&text).unwrap();
        for characters in values {
            let value = String::from_iter(&characters);
            let expected = tree.ends(&characters, &BTreeSet::from([0])).contains(&characters.len());
            prop_assert_eq!(ours.matches(&value), expected, "{:?} {:?}", text, value);
            // regexml repeats groups wrongly: `aaa` matches `(|.){2}`, and not `(.a?|a?){2}`.
            if !tree.repeats_groups() {
                prop_assert_eq!(oracle.matches(&value), expected, "{:?} {:?}", text, value);
            }
        }
    }

    #[test]
    fn pattern_is_valid_if_another_implementation_accepts_it(
        pattern in r"([ab^$,12-]|[{}()|?*+.\[\]-]|\[[ab^-]|\\[npds^$-]|\{[12],?){0,8}",
    ) {
        prop_assert_eq!(Pattern::new(&pattern).is_ok(), Oracle::new(&pattern).is_some(), "{:?}", pattern);
    }

    #[test]
    fn no_text_makes_the_translation_panic(pattern in any::<String>(), value in any::<String>()) {
        if let Ok(pattern) = Pattern::new(&pattern) {
            pattern.matches(&value);
        }
    }
}
