//! The characters of XML (XML 1.0 §2.2), and texts that consist of them.

/// A text that XML can hold.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct XmlText<'a>(&'a str);

impl<'a> XmlText<'a> {
    /// Checks a text. Returns `None` if it contains a character that XML cannot hold, not even as a
    /// reference: a control character other than tab, line feed and carriage return, U+FFFE or
    /// U+FFFF.
    #[must_use]
    pub fn new(text: &'a str) -> Option<Self> {
        let is_valid = is_plain(text.as_bytes()) || text.chars().all(is_character);
        is_valid.then_some(Self(text))
    }

    /// Takes a part of a text that has been checked.
    pub(crate) fn of_checked(text: &'a str) -> Self {
        Self(text)
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// Divides the text so that the first part has at most `length` octets, or a single character.
    #[must_use]
    pub fn split_at_most(self, length: usize) -> (Self, Self) {
        let first = self.0.chars().next().map_or(0, char::len_utf8);
        let mut end = length.clamp(first, self.0.len().max(first));
        while !self.0.is_char_boundary(end) {
            end -= 1;
        }
        let (head, tail) = self.0.split_at_checked(end).unwrap_or((self.0, ""));
        (Self(head), Self(tail))
    }
}

impl XmlText<'static> {
    /// Creates a constant of a text of printable ASCII characters.
    ///
    /// # Panics
    /// If the text has other characters. In a constant, this is an error of the compiler.
    #[must_use]
    pub const fn from_static(text: &'static str) -> Self {
        let mut rest = text.as_bytes();
        while let Some((octet, others)) = rest.split_first() {
            assert!(octet.is_ascii_graphic() || *octet == b' ', "invalid text");
            rest = others;
        }
        Self(text)
    }
}

/// Returns true for the characters of XML.
pub(crate) fn is_character(c: char) -> bool {
    !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns true if UTF-8 octets certainly contain neither a carriage return, nor `]`, nor a
/// character that XML cannot hold. It has no branch for single octets, so that the compiler
/// compares many at once.
pub(crate) fn is_plain(octets: &[u8]) -> bool {
    // U+FFFE and U+FFFF begin with 0xef.
    let is_unusual = |octet: u8| {
        ((octet < 0x20) & (octet != b'\t') & (octet != b'\n')) | (octet == b']') | (octet == 0xef)
    };
    !octets.iter().fold(false, |found, octet| found | is_unusual(*octet))
}

/// Returns the number of octets before the first one that needs care in a text: a carriage return,
/// the `>` of `]]>`, or the start of a character that XML cannot hold. `brackets` is the number of
/// `]`, at most two, immediately before the octets; it is `None` if `]]>` is allowed.
pub(crate) fn plain_prefix(octets: &[u8], brackets: Option<u8>) -> usize {
    let mut before = brackets.unwrap_or(0);
    octets
        .iter()
        .enumerate()
        .find(|(index, octet)| match octet {
            b']' => {
                before = before.saturating_add(1);
                false
            }
            b'>' if before >= 2 && brackets.is_some() => true,
            0..=0x1f => {
                before = 0;
                !matches!(octet, b'\t' | b'\n')
            }
            0xef => {
                before = 0;
                matches!(octets.get(index + 1..index + 3), Some([0xbf, 0xbe | 0xbf]))
            }
            _ => {
                before = 0;
                false
            }
        })
        .map_or(octets.len(), |(index, _)| index)
}

/// Returns the number of `]`, at most two, at the end of `octets`, which follow `before` of them.
pub(crate) fn brackets_after(before: u8, octets: &[u8]) -> u8 {
    let count = octets.iter().rev().take(2).take_while(|octet| **octet == b']').count();
    match count == octets.len() {
        true => (before + count as u8).min(2),
        false => count as u8,
    }
}
