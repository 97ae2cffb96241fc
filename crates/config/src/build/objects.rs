//! Object identifiers as written in the file: numbers, or a name followed by numbers.

use portreeve_mib::{Object, names};
use portreeve_smi::{MAX_ARCS, Oid};

/// A subtree family: an identifier, in which some arcs may be wildcards.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Subtree {
    pub(super) oid: Oid,
    /// As in vacmViewTreeFamilyMask: a bit for each arc, set if the arc must match. Empty if all
    /// arcs must match.
    pub(super) mask: Vec<u8>,
}

impl Subtree {
    /// Parses `1.3.6.1`, `.1.3`, `ifTable`, `IF-MIB::ifEntry.*.7`. The error continues a sentence
    /// that begins with the parsed text.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (first, rest) = text.split_once('.').map_or((text, None), |(first, rest)| (first, Some(rest)));
        let mut arcs: Vec<Option<u32>> = Vec::new();
        if first.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            arcs.extend(object(first)?.oid().iter().copied().map(Some));
        } else if !first.is_empty() {
            arcs.push(arc(first)?);
        }
        for part in rest.into_iter().flat_map(|rest| rest.split('.')) {
            arcs.push(arc(part)?);
        }
        if arcs.len() > MAX_ARCS {
            return Err(format!(
                "has {} numbers, but an object identifier has at most {MAX_ARCS}",
                arcs.len()
            ));
        }
        if arcs.iter().all(Option::is_none) {
            return Err("is not an object identifier".into());
        }
        let numbers: Vec<u32> = arcs.iter().map(|arc| arc.unwrap_or(0)).collect();
        let oid = Oid::new(&numbers).map_err(|error| error.to_string())?;
        Ok(Self { oid, mask: mask(&arcs) })
    }
}

fn arc(text: &str) -> Result<Option<u32>, String> {
    if text == "*" {
        return Ok(None);
    }
    let digits = !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits => Ok(Some(number)),
        _ => Err(format!("\"{}\" is not a number below 4294967296", crate::reader::display_escaped(text))),
    }
}

fn object(name: &str) -> Result<&'static Object, String> {
    let found = match name.split_once("::") {
        Some((module, descriptor)) => {
            names::module(module).and_then(|module| names::object_in(module, descriptor))
        }
        None => names::object(name),
    };
    found.ok_or_else(|| format!("unknown object {}", crate::reader::display_escaped(name)))
}

fn mask(arcs: &[Option<u32>]) -> Vec<u8> {
    if arcs.iter().all(Option::is_some) {
        return Vec::new();
    }
    arcs.chunks(8)
        .map(|eight| {
            let significant = |position: usize| eight.get(position).is_none_or(|arc| arc.is_some());
            (0..8)
                .filter(|position| significant(*position))
                .fold(0, |octet, position| octet | 0x80 >> position)
        })
        .collect()
}

#[cfg(test)]
mod tests;
