//! Names without colons (Namespaces in XML 1.0 §3, XML 1.0 §2.3).

use super::XmlErrorReason;

/// Longest name, in octets. For a name with a prefix, its length with prefix and colon.
pub const MAX_NAME: usize = 256;

/// A name of an element or attribute without its prefix.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NcName<'a>(&'a str);

impl<'a> NcName<'a> {
    /// Checks a name. Returns `None` if it is not a name without a colon, or longer than
    /// [`MAX_NAME`].
    #[must_use]
    pub fn new(name: &'a str) -> Option<Self> {
        check(name).is_ok().then_some(Self(name))
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        self.0
    }
}

impl NcName<'static> {
    /// Creates a constant of a name of ASCII characters.
    ///
    /// # Panics
    /// If the text is not such a name. In a constant, this is an error of the compiler.
    #[must_use]
    #[expect(clippy::panic, reason = "evaluated by the compiler for constants")]
    pub const fn from_static(name: &'static str) -> Self {
        let mut rest = name.as_bytes();
        let mut is_first = true;
        while let Some((octet, others)) = rest.split_first() {
            let is_start = octet.is_ascii_alphabetic() || *octet == b'_';
            if !is_start && (is_first || !is_ascii_name(*octet)) {
                panic!("invalid name");
            }
            is_first = false;
            rest = others;
        }
        assert!(!is_first && name.len() <= MAX_NAME, "invalid name");
        Self(name)
    }
}

/// Checks that `name` is a name without a colon.
pub(crate) fn check(name: &str) -> Result<(), XmlErrorReason> {
    let is_name = match name.as_bytes().split_first() {
        Some((first, rest)) if name.is_ascii() => {
            (first.is_ascii_alphabetic() || *first == b'_') && rest.iter().all(|octet| is_ascii_name(*octet))
        }
        _ => {
            let mut characters = name.chars();
            characters.next().is_some_and(is_start) && characters.all(|c| is_start(c) || is_other(c))
        }
    };
    match is_name {
        true if name.len() > MAX_NAME => Err(XmlErrorReason::LongName),
        true => Ok(()),
        false => Err(XmlErrorReason::InvalidName),
    }
}

/// Returns true for the ASCII characters that a name without a colon can contain.
#[inline]
pub(crate) const fn is_ascii_name(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_')
}

/// The characters with which a name can begin (XML 1.0 §2.3, NameStartChar without the colon).
fn is_start(c: char) -> bool {
    matches!(c, 'A'..='Z' | '_' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}'
        | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}'
        | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}'
        | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

/// The other characters that a name can contain (XML 1.0 §2.3, NameChar).
fn is_other(c: char) -> bool {
    matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}
