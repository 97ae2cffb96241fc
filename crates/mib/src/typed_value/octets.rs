//! Parses octets that are typed as numbers.

use crate::Syntax;

/// Parses pairs of hexadecimal digits, with an optional `0x` prefix and optional blanks or colons
/// in between.
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

/// Parses numbers up to 255, separated by dots or blanks.
pub(super) fn decimal(text: &str) -> Option<Vec<u8>> {
    words(text, &['.', ' ', '\t']).map(|word| word.parse().ok()).collect()
}

/// Parses positions or labels of bits, separated by blanks or commas.
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

/// Wraps a number in an Opaque value like Net-SNMP.
pub(super) fn wrapped(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).unwrap_or_default();
    [&[0x9f, kind, length][..], content].concat()
}

/// Wraps an integer in an Opaque value, in as few octets as possible.
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

/// The maximum number of bits. It prevents one large number from allocating much memory.
const MAX_BITS: usize = 8 * 65535;
