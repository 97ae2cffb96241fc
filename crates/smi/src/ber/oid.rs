//! Object identifiers in base 128. The first two arcs are encoded as one sub-identifier (X.690
//! §8.19).

use super::BerError;
use crate::{MAX_ARCS, OidBuf};

/// Checks the content octets of an identifier: at most 128 arcs and at least one sub-identifier.
/// Each sub-identifier must be complete, minimally encoded and below 2³².
///
/// # Errors
/// [`BerError::BadValue`] if the content is not such an identifier.
pub fn check_oid(content: &[u8]) -> Result<(), BerError> {
    if is_single_octets(content) {
        return if (1..MAX_ARCS).contains(&content.len()) { Ok(()) } else { Err(BerError::BadValue) };
    }
    let mut arcs = 1;
    for sub_identifier in SubIdentifiers(content) {
        sub_identifier?;
        arcs += 1;
    }
    if (2..=MAX_ARCS).contains(&arcs) { Ok(()) } else { Err(BerError::BadValue) }
}

/// Decodes content octets into `oid` and replaces its content.
///
/// # Errors
/// [`BerError::BadValue`] if the content is not a valid identifier.
pub fn decode_oid(content: &[u8], oid: &mut OidBuf) -> Result<(), BerError> {
    oid.clear();
    if let ([first, rest @ ..], true) = (content, is_single_octets(content)) {
        let root = (first / 40).min(2);
        let arcs = [root, first - root * 40].into_iter().chain(rest.iter().copied());
        return oid.extend_small(arcs).map_err(|_| BerError::BadValue);
    }
    let mut sub_identifiers = SubIdentifiers(content);
    let first = sub_identifiers.next().ok_or(BerError::BadValue)??;
    let root = (first / 40).min(2);
    oid.push(root).and_then(|()| oid.push(first - root * 40)).map_err(|_| BerError::BadValue)?;
    for arc in sub_identifiers {
        oid.push(arc?).map_err(|_| BerError::BadValue)?;
    }
    Ok(())
}

/// Returns the number of content octets of an identifier. An identifier with fewer than two arcs is
/// encoded as if zeros were appended.
pub fn oid_len(arcs: &[u32]) -> usize {
    match arcs {
        [root, second, rest @ ..] => {
            sub_identifier_len(first_sub_identifier(*root, *second))
                + rest.iter().map(|&arc| sub_identifier_len(arc)).sum::<usize>()
        }
        [_] | [] => 1,
    }
}

/// Combines the first two arcs into one number. A root above 2 or a result above 2³²-1 cannot be
/// encoded; the result then saturates.
pub(super) fn first_sub_identifier(root: u32, second: u32) -> u32 {
    root.min(2).saturating_mul(40).saturating_add(second)
}

/// Returns the number of octets of one sub-identifier, 1 to 5.
pub(super) fn sub_identifier_len(value: u32) -> usize {
    match value {
        0..=0x7f => 1,
        0x80..=0x3fff => 2,
        0x4000..=0x1f_ffff => 3,
        0x20_0000..=0xfff_ffff => 4,
        _ => 5,
    }
}

/// Returns whether all sub-identifiers are below 128. This is the common case; each octet is then
/// one sub-identifier.
fn is_single_octets(content: &[u8]) -> bool {
    content.iter().fold(0, |seen, octet| seen | octet) < 0x80
}

struct SubIdentifiers<'a>(&'a [u8]);

impl Iterator for SubIdentifiers<'_> {
    type Item = Result<u32, BerError>;

    #[inline]
    fn next(&mut self) -> Option<Result<u32, BerError>> {
        let (&first, mut rest) = self.0.split_first()?;
        if first < 0x80 {
            self.0 = rest;
            return Some(Ok(u32::from(first)));
        }
        if first == 0x80 {
            return Some(Err(BerError::BadValue)); // the encoding starts with a zero digit, so it is not minimal
        }
        let mut value = u32::from(first & 0x7f);
        loop {
            let Some((&octet, after)) = rest.split_first() else { return Some(Err(BerError::BadValue)) };
            if value > u32::MAX >> 7 {
                return Some(Err(BerError::BadValue));
            }
            value = (value << 7) | u32::from(octet & 0x7f);
            rest = after;
            if octet < 0x80 {
                self.0 = rest;
                return Some(Ok(value));
            }
        }
    }
}
