//! Translates the text of a pattern into the syntax of `regex`, in one pass over the text.
//!
//! Every literal character other than an ASCII letter or digit is written as its code point, so
//! that it has no meaning in the other syntax.

use std::fmt::Write;
use std::iter::Peekable;
use std::str::CharIndices;

use super::blocks::find_block;
use super::{MAX_PATTERN, MAX_PATTERN_NESTING, PatternError, PatternReason};

/// The characters that a name may begin with, except the colon (XML 1.0, production NameStartChar).
const NAME_START: &str = "A-Z_a-z\\x{C0}-\\x{D6}\\x{D8}-\\x{F6}\\x{F8}-\\x{2FF}\\x{370}-\\x{37D}\\x{37F}-\\x{1FFF}\
    \\x{200C}-\\x{200D}\\x{2070}-\\x{218F}\\x{2C00}-\\x{2FEF}\\x{3001}-\\x{D7FF}\\x{F900}-\\x{FDCF}\
    \\x{FDF0}-\\x{FFFD}\\x{10000}-\\x{EFFFF}\\x{3A}";
/// The other characters of a name (XML 1.0, production NameChar).
const NAME_REST: &str = "0-9\\x{2D}\\x{2E}\\x{B7}\\x{300}-\\x{36F}\\x{203F}-\\x{2040}";
/// The general categories that a pattern can name. `Cs` is missing, because no character has it.
const CATEGORIES: &[&str] = &[
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps",
    "Pe", "Pi", "Pf", "Po", "Z", "Zs", "Zl", "Zp", "S", "Sm", "Sc", "Sk", "So", "C", "Cc", "Cf", "Co", "Cn",
];

/// Returns the pattern in the syntax of `regex`. It matches whole values only.
pub(super) fn translate(text: &str) -> Result<String, PatternError> {
    if text.len() > MAX_PATTERN {
        return Err(PatternError { offset: 0, reason: PatternReason::TooLong });
    }
    let mut translator = Translator {
        end: text.len(),
        rest: text.char_indices().peekable(),
        output: String::with_capacity(2 * text.len() + 16),
        groups: 0,
    };
    translator.expression()?;
    Ok(translator.output)
}

/// A backslash and the characters after it.
enum Escape {
    /// One character, which can be an end of a range.
    Character(char),
    /// Several characters. The class that contains them is already in the output.
    Class,
}

struct Translator<'t> {
    rest: Peekable<CharIndices<'t>>,
    end: usize,
    output: String,
    /// The number of groups that are open.
    groups: usize,
}

impl Translator<'_> {
    fn expression(&mut self) -> Result<(), PatternError> {
        self.output.push_str(r"\A(?:");
        // True if a quantifier may follow.
        let mut is_atom = false;
        while let Some((offset, character)) = self.rest.next() {
            is_atom = match character {
                '(' => {
                    self.groups += 1;
                    self.check_nesting(0, offset)?;
                    self.output.push_str("(?:");
                    false
                }
                ')' => {
                    self.groups = self
                        .groups
                        .checked_sub(1)
                        .ok_or(error(offset, PatternReason::UnescapedMetacharacter))?;
                    self.output.push(')');
                    true
                }
                '|' => {
                    self.output.push('|');
                    false
                }
                '?' | '*' | '+' | '{' if !is_atom => {
                    return Err(error(offset, PatternReason::NothingToRepeat));
                }
                '?' | '*' | '+' => {
                    self.output.push(character);
                    false
                }
                '{' => {
                    self.quantity(offset)?;
                    false
                }
                '}' | ']' => return Err(error(offset, PatternReason::UnescapedMetacharacter)),
                '.' => {
                    self.output.push_str(r"[^\n\r]");
                    true
                }
                '[' => {
                    self.class(offset)?;
                    true
                }
                '\\' => {
                    if let Escape::Character(character) = self.escape(offset)? {
                        self.literal(character);
                    }
                    true
                }
                _ => {
                    self.literal(character);
                    true
                }
            };
        }
        if self.groups > 0 {
            return Err(error(self.end, PatternReason::UnclosedGroup));
        }
        self.output.push_str(r")\z");
        Ok(())
    }

    fn check_nesting(&self, classes: usize, offset: usize) -> Result<(), PatternError> {
        if self.groups + classes > MAX_PATTERN_NESTING {
            return Err(error(offset, PatternReason::TooDeep));
        }
        Ok(())
    }

    fn literal(&mut self, character: char) {
        if character.is_ascii_alphanumeric() {
            self.output.push(character);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(self.output, "\\x{{{:X}}}", u32::from(character));
        }
    }

    /// Translates a quantity, whose brace has been read.
    fn quantity(&mut self, offset: usize) -> Result<(), PatternError> {
        let invalid = error(offset, PatternReason::InvalidQuantity);
        let least = self.number().ok_or(invalid)?;
        let _ = write!(self.output, "{{{least}");
        let mut next = self.next_character();
        if next == Some(',') {
            self.output.push(',');
            if let Some(most) = self.number() {
                if most < least {
                    return Err(invalid);
                }
                let _ = write!(self.output, "{most}");
            }
            next = self.next_character();
        }
        if next != Some('}') {
            return Err(invalid);
        }
        self.output.push('}');
        Ok(())
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = None;
        while let Some(digit) = self.peek().and_then(|character| character.to_digit(10)) {
            self.rest.next();
            // A greater number would need more than the maximum size, too.
            number = Some(number.unwrap_or(0u32).saturating_mul(10).saturating_add(digit));
        }
        number
    }

    /// Translates what follows a backslash. A class is written at once; a character is returned.
    fn escape(&mut self, offset: usize) -> Result<Escape, PatternError> {
        let unknown = error(offset, PatternReason::UnknownEscape);
        let character = self.next_character().ok_or(unknown)?;
        let class = match character {
            'n' => return Ok(Escape::Character('\n')),
            'r' => return Ok(Escape::Character('\r')),
            't' => return Ok(Escape::Character('\t')),
            '\\' | '|' | '.' | '?' | '*' | '+' | '(' | ')' | '{' | '}' | '-' | '[' | ']' | '^' => {
                return Ok(Escape::Character(character));
            }
            's' => r"[ \t\n\r]",
            'S' => r"[^ \t\n\r]",
            'd' => r"\p{Nd}",
            'D' => r"\P{Nd}",
            'w' => r"[^\p{P}\p{Z}\p{C}]",
            'W' => r"[\p{P}\p{Z}\p{C}]",
            'i' | 'I' | 'c' | 'C' => {
                self.output.push('[');
                if character.is_ascii_uppercase() {
                    self.output.push('^');
                }
                self.output.push_str(NAME_START);
                if character.eq_ignore_ascii_case(&'c') {
                    self.output.push_str(NAME_REST);
                }
                "]"
            }
            'p' | 'P' => return self.property(offset, character),
            _ => return Err(unknown),
        };
        self.output.push_str(class);
        Ok(Escape::Class)
    }

    /// Translates a category or a block, whose `\p` or `\P` has been read.
    fn property(&mut self, offset: usize, letter: char) -> Result<Escape, PatternError> {
        let unknown = error(offset, PatternReason::UnknownProperty);
        if self.next_character() != Some('{') {
            return Err(unknown);
        }
        let mut name = String::new();
        loop {
            match self.next_character() {
                Some('}') => break,
                Some(character) => name.push(character),
                None => return Err(unknown),
            }
        }
        if CATEGORIES.contains(&name.as_str()) {
            let _ = write!(self.output, "\\{letter}{{{name}}}");
        } else if name == "IsPrivateUse" {
            // An older name for three blocks, which have all characters of this category.
            let _ = write!(self.output, "\\{letter}{{Co}}");
        } else {
            let (first, last) = name.strip_prefix("Is").and_then(find_block).ok_or(unknown)?;
            let negation = if letter == 'P' { "^" } else { "" };
            let _ = write!(self.output, "[{negation}\\x{{{first:X}}}-\\x{{{last:X}}}]");
        }
        Ok(Escape::Class)
    }

    /// Translates a character class, whose bracket has been read, with all that is subtracted from
    /// it. Each level becomes `[[…]--[…]]`, because a `^` in the syntax of `regex` would negate the
    /// difference.
    fn class(&mut self, offset: usize) -> Result<(), PatternError> {
        let mut depth = 0;
        loop {
            depth += 1;
            self.check_nesting(depth, offset)?;
            self.output.push_str("[[");
            let is_subtraction = self.class_members(offset)?;
            self.output.push(']');
            if !is_subtraction {
                break;
            }
            self.output.push_str("--");
        }
        self.output.push(']');
        for _ in 1..depth {
            match self.rest.next() {
                Some((_, ']')) => self.output.push(']'),
                Some((offset, _)) => return Err(error(offset, PatternReason::TextAfterSubtraction)),
                None => return Err(error(self.end, PatternReason::UnclosedClass)),
            }
        }
        Ok(())
    }

    /// Translates the members of a class up to its end, or up to and including the `-[` of a
    /// subtraction. Returns true for a subtraction.
    fn class_members(&mut self, start: usize) -> Result<bool, PatternError> {
        if self.peek() == Some('^') {
            self.rest.next();
            self.output.push('^');
        }
        let mut is_empty = true;
        loop {
            let (offset, character) =
                self.rest.next().ok_or(error(self.end, PatternReason::UnclosedClass))?;
            match character {
                ']' if is_empty => return Err(error(start, PatternReason::EmptyClass)),
                ']' => return Ok(false),
                '[' => return Err(error(offset, PatternReason::UnescapedBracketInClass)),
                '-' if self.peek() == Some('[') => {
                    if is_empty {
                        return Err(error(start, PatternReason::EmptyClass));
                    }
                    self.rest.next();
                    return Ok(true);
                }
                // A hyphen stands for itself, unless it could be an end of a range.
                '-' if self.starts_range() => return Err(error(offset, PatternReason::InvalidRange)),
                '-' => self.literal('-'),
                '\\' => {
                    if let Escape::Character(character) = self.escape(offset)? {
                        self.character_or_range(character, offset)?;
                    }
                }
                _ => self.character_or_range(character, offset)?,
            }
            is_empty = false;
        }
    }

    /// Returns true if the next characters are a hyphen and an end of a range: no `]`, and no
    /// subtraction.
    fn starts_range(&self) -> bool {
        let mut ahead = self.rest.clone().map(|(_, character)| character);
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some('-')) => ahead.next() != Some('['),
            (Some('-'), next) => !matches!(next, Some('[' | ']')),
            _ => false,
        }
    }

    /// Translates a character of a class, or the range that begins with it.
    fn character_or_range(&mut self, first: char, offset: usize) -> Result<(), PatternError> {
        self.literal(first);
        if !self.starts_range() {
            return Ok(());
        }
        self.rest.next();
        let invalid = error(offset, PatternReason::InvalidRange);
        let last = match self.rest.next() {
            None => return Err(error(self.end, PatternReason::UnclosedClass)),
            Some((_, '-')) => return Err(invalid),
            Some((offset, '\\')) => match self.escape(offset)? {
                Escape::Character(character) => character,
                Escape::Class => return Err(invalid),
            },
            Some((_, character)) => character,
        };
        if last < first {
            return Err(invalid);
        }
        self.output.push('-');
        self.literal(last);
        Ok(())
    }

    fn peek(&mut self) -> Option<char> {
        self.rest.peek().map(|&(_, character)| character)
    }

    fn next_character(&mut self) -> Option<char> {
        self.rest.next().map(|(_, character)| character)
    }
}

fn error(offset: usize, reason: PatternReason) -> PatternError {
    PatternError { offset, reason }
}
