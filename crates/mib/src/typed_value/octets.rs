//! Octets, typed as numbers.

use crate::Syntax;

/// Pairs of hexadecimal digits, with or without `0x` in front and blanks or colons between.
pub(super) fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let text = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let digits: Option<Vec<u8>> = text
        .chars()
        .filter(|c| !matches!(c, ' ' | ':' | '\t' | '\n'))
        .map(|c| u8::try_from(c.to_digit(16)?).ok())
        .collect();
    let digits = digits?;
    let pairs = digits.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    pairs.map(|pair| Some((pair.first()? << 4) | pair.last()?)).collect()
}

/// Numbers up to 255 with dots or blanks between.
pub(super) fn decimal(text: &str) -> Option<Vec<u8>> {
    words(text, &['.', ' ', '\t']).map(|word| word.parse().ok()).collect()
}

/// Positions or labels of the bits that are set, with blanks or commas between.
pub(super) fn bits(syntax: Option<&Syntax>, text: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    for word in words(text, &[' ', ',', '\t']) {
        let label = syntax.and_then(|syntax| usize::try_from(syntax.number(word)?).ok());
        let bit = label.or_else(|| word.parse().ok()).filter(|bit| *bit < MAX_BITS)?;
        if octets.len() <= bit / 8 {
            octets.resize(bit / 8 + 1, 0u8);
        }
        *octets.get_mut(bit / 8)? |= 0x80 >> (bit % 8);
    }
    Some(octets)
}

/// A number as Net-SNMP wraps it in an Opaque.
pub(super) fn wrapped(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).unwrap_or_default();
    [&[0x9f, kind, length][..], content].concat()
}

/// The same for an integer, in as few octets as it needs.
pub(super) fn wrapped_integer(kind: u8, number: i128) -> Vec<u8> {
    let octets = number.to_be_bytes();
    let needed = (1..octets.len()).find(|length| {
        let bits = 8 * length - 1;
        (-(1i128 << bits)..1i128 << bits).contains(&number)
    });
    let content = octets.get(octets.len() - needed.unwrap_or(octets.len())..).unwrap_or_default();
    wrapped(kind, content)
}

fn words<'a>(text: &'a str, separators: &'a [char]) -> impl Iterator<Item = &'a str> {
    text.split(separators).filter(|word| !word.is_empty())
}

/// A bound, so that one large number does not ask for much memory.
const MAX_BITS: usize = 8 * 65535;
