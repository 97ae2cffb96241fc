//! Patterns: regular expressions of XML Schema (XML Schema part 2, appendix F), which YANG uses for
//! strings (RFC 7950 §9.4.5).
//!
//! ```text
//! text of a pattern ── translate ──▶ text for `regex` ── compile ──▶ Pattern
//! ```
//! XML Schema has neither look-around nor back-references, so that matching takes time in
//! proportion to the length of the value.

mod blocks;
#[cfg(test)]
mod tests;
mod translate;

use std::fmt;

use regex::{Regex, RegexBuilder};

/// The longest text of a pattern, in octets.
pub const MAX_PATTERN: usize = 4096;
/// The greatest number of groups and character classes within one another.
pub const MAX_PATTERN_NESTING: usize = 50;
/// The greatest size of a compiled pattern, in bytes.
///
/// This limits the repetition of large classes: `\w{1,255}` and `.{1,1024}` fit, `\w{1,1024}` does
/// not.
pub const MAX_COMPILED_PATTERN: usize = 32 << 20;
/// The greatest size of all compiled patterns of a schema, in bytes. Each pattern counts as the
/// smallest of `SIZES` that it fits into. Patterns are compiled when a value needs them.
pub const MAX_COMPILED_PATTERNS: usize = 128 << 20;
/// The sizes that are tried for a compiled pattern, in bytes. `regex` does not report the size.
const SIZES: [usize; 4] = [64 << 10, 1 << 20, 8 << 20, MAX_COMPILED_PATTERN];
/// The size of the cache that matching uses, in bytes. With less, it is slower but still linear.
const MAX_CACHE: usize = 1 << 20;
/// Levels of the translated text: `regex` counts up to four for one group and two for one class.
const MAX_TRANSLATED_NESTING: u32 = 4 * MAX_PATTERN_NESTING as u32 + 50;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    regex: Regex,
    /// One of [`SIZES`].
    size: usize,
}

impl Pattern {
    /// Compiles the text of a pattern.
    ///
    /// # Errors
    /// The reason and its place, if the text is not a regular expression of XML Schema or is too
    /// large.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let translated = translate::translate(text)?;
        let mut builder = RegexBuilder::new(&translated);
        builder.dfa_size_limit(MAX_CACHE).nest_limit(MAX_TRANSLATED_NESTING);
        let mut reason = PatternReason::CompiledTooLarge;
        for size in SIZES {
            match builder.size_limit(size).build() {
                Ok(regex) => return Ok(Self { regex, size }),
                Err(error) => reason = reason_of(&error),
            }
            if reason != PatternReason::CompiledTooLarge {
                break;
            }
        }
        Err(PatternError { offset: 0, reason })
    }

    /// Returns a size in bytes that the compiled pattern does not exceed.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Returns true if the whole value matches.
    pub fn matches(&self, value: &str) -> bool {
        self.regex.is_match(value)
    }
}

fn reason_of(error: &regex::Error) -> PatternReason {
    match error {
        regex::Error::CompiledTooBig(_) => PatternReason::CompiledTooLarge,
        _ => PatternReason::NotSupported,
    }
}

/// The reason why a text is not accepted as a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternReason {
    /// The text has more than [`MAX_PATTERN`] octets.
    TooLong,
    /// More than [`MAX_PATTERN_NESTING`] groups and classes are within one another.
    TooDeep,
    /// The automaton needs more than [`MAX_COMPILED_PATTERN`] bytes.
    CompiledTooLarge,
    /// All patterns of the schema together need more than [`MAX_COMPILED_PATTERNS`] bytes.
    AllTooLarge,
    /// A quantifier has nothing to repeat. Lazy and possessive quantifiers are such, and so are the
    /// groups of other languages that begin with `(?`.
    NothingToRepeat,
    /// A quantity is not `{n}`, `{n,}` or `{n,m}` with n ≤ m.
    InvalidQuantity,
    /// A `)`, `]`, `{` or `}` that closes or repeats nothing needs a backslash.
    UnescapedMetacharacter,
    /// A group has no `)`.
    UnclosedGroup,
    /// A character class has no `]`.
    UnclosedClass,
    /// A character class has no members.
    EmptyClass,
    /// A `[` within a class needs a backslash.
    UnescapedBracketInClass,
    /// A range has no end, has a class or an unescaped `-` as an end, or ends before its start.
    InvalidRange,
    /// A class continues after what is subtracted from it.
    TextAfterSubtraction,
    /// The character after a backslash has no meaning there.
    UnknownEscape,
    /// `\p{…}` or `\P{…}` has a name that is neither a category nor a block.
    UnknownProperty,
    /// The `regex` library refuses the translated text. No pattern is known that leads to this.
    NotSupported,
}

impl PatternReason {
    /// Returns the reason as text for an error message.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TooLong => "longer than 4096 octets",
            Self::TooDeep => "more than 50 groups and classes within one another",
            Self::CompiledTooLarge => "needs more than 32 MiB when compiled",
            Self::AllTooLarge => "all patterns together need more than 128 MiB when compiled",
            Self::NothingToRepeat => "quantifier without anything to repeat",
            Self::InvalidQuantity => "invalid quantity: expected {n}, {n,} or {n,m}",
            Self::UnescapedMetacharacter => "metacharacter without a backslash",
            Self::UnclosedGroup => "group without `)`",
            Self::UnclosedClass => "character class without `]`",
            Self::EmptyClass => "empty character class",
            Self::UnescapedBracketInClass => "`[` without a backslash in a character class",
            Self::InvalidRange => "invalid range in a character class",
            Self::TextAfterSubtraction => "text after a subtracted character class",
            Self::UnknownEscape => "unknown escape sequence",
            Self::UnknownProperty => "unknown category or block",
            Self::NotSupported => "not supported",
        }
    }
}

/// The error of a text that is not accepted as a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The place in the text, in octets from its start.
    pub offset: usize,
    /// The reason.
    pub reason: PatternReason,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid pattern at octet {}: {}", self.offset, self.reason.as_str())
    }
}

impl std::error::Error for PatternError {}
