//! Encodes a row's key as the index arcs of its instances (RFC 2578 §7.7).
//!
//! The key determines the parts of the index, and the INDEX clause determines their encoding and
//! valid values.

use std::cmp::Ordering;

use portreeve_lcd::{KeyReader, KeyWriter, RecordError, RowKey};
use portreeve_mib::{Base, Object, Syntax};
use portreeve_smi::{Oid, Value};

/// Calls `write` with each index arc of the row with this key.
pub(crate) fn write_arcs<K: RowKey>(row: &Object, key: &K, write: impl FnMut(u32)) {
    #[cfg(test)]
    VISITED_ROWS.set(VISITED_ROWS.get() + 1);
    key.write(&mut ArcWriter { parts: IndexParts::of(row), write });
}

#[cfg(test)]
thread_local! {
    /// The number of rows whose index arcs this thread has computed.
    pub(crate) static VISITED_ROWS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Compares the index arcs of the row with this key with other arcs.
pub(crate) fn compare<K: RowKey>(row: &Object, key: &K, arcs: &[u32]) -> Ordering {
    let (mut order, mut rest) = (Ordering::Equal, arcs.iter());
    write_arcs(row, key, |arc| {
        if order.is_eq() {
            order = rest.next().map_or(Ordering::Greater, |other| arc.cmp(other));
        }
    });
    order.then(if rest.as_slice().is_empty() { Ordering::Equal } else { Ordering::Less })
}

/// Returns the key of the row with these index arcs, or `None` if the arcs are invalid.
pub(crate) fn key_of<K: RowKey>(row: &Object, arcs: &[u32]) -> Option<K> {
    let mut reader = ArcReader { parts: IndexParts::of(row), arcs };
    let key = K::read(&mut reader).ok()?;
    reader.arcs.is_empty().then_some(key)
}

struct ArcWriter<W> {
    parts: IndexParts,
    write: W,
}

impl<W: FnMut(u32)> KeyWriter for ArcWriter<W> {
    fn octets(&mut self, octets: &[u8]) {
        self.length(octets.len());
        octets.iter().for_each(|octet| (self.write)(u32::from(*octet)));
    }

    fn number(&mut self, number: u32) {
        self.parts.next();
        (self.write)(number);
    }

    fn oid(&mut self, oid: &Oid) {
        self.length(oid.len());
        oid.iter().for_each(|arc| (self.write)(*arc));
    }
}

impl<W: FnMut(u32)> ArcWriter<W> {
    fn length(&mut self, length: usize) {
        if self.parts.next().is_none_or(|part| part.has_length) {
            // The cast does not truncate, because the definitions limit parts to a length far below
            // 2³².
            (self.write)(length as u32);
        }
    }
}

struct ArcReader<'a> {
    parts: IndexParts,
    arcs: &'a [u32],
}

impl<'a> ArcReader<'a> {
    fn string(&mut self) -> Result<(IndexPart, &'a [u32]), RecordError> {
        let part = self.parts.next().ok_or(RecordError)?;
        let length = match part.syntax.fixed_len() {
            Some(length) => length,
            None if part.has_length => usize::try_from(self.next_arc()?).map_err(|_| RecordError)?,
            None => self.arcs.len(),
        };
        let (string, rest) = self.arcs.split_at_checked(length).ok_or(RecordError)?;
        self.arcs = rest;
        Ok((part, string))
    }

    fn next_arc(&mut self) -> Result<u32, RecordError> {
        let (first, rest) = self.arcs.split_first().ok_or(RecordError)?;
        self.arcs = rest;
        Ok(*first)
    }
}

impl KeyReader for ArcReader<'_> {
    fn octets(&mut self) -> Result<Vec<u8>, RecordError> {
        let (part, arcs) = self.string()?;
        let octets: Vec<u8> =
            arcs.iter().map(|arc| u8::try_from(*arc).map_err(|_| RecordError)).collect::<Result<_, _>>()?;
        part.syntax.check(&Value::OctetString(&octets)).map_err(|_| RecordError)?;
        Ok(octets)
    }

    fn number(&mut self) -> Result<u32, RecordError> {
        let part = self.parts.next().ok_or(RecordError)?;
        let arc = self.next_arc()?;
        let value = match part.syntax.base {
            Base::Unsigned32 => Value::Gauge32(arc),
            _ => Value::Integer(i32::try_from(arc).map_err(|_| RecordError)?),
        };
        part.syntax.check(&value).map_err(|_| RecordError)?;
        Ok(arc)
    }

    fn oid(&mut self) -> Result<Oid, RecordError> {
        let (_, arcs) = self.string()?;
        Oid::new(arcs).map_err(|_| RecordError)
    }
}

/// The parts of an INDEX clause, in order.
struct IndexParts {
    objects: std::slice::Iter<'static, &'static Object>,
    implied: bool,
}

impl IndexParts {
    fn of(row: &Object) -> Self {
        let index = row.index();
        let objects = index.as_ref().map_or(&[][..], |index| index.objects);
        Self { objects: objects.iter(), implied: index.is_some_and(|index| index.implied) }
    }
}

impl Iterator for IndexParts {
    type Item = IndexPart;

    fn next(&mut self) -> Option<IndexPart> {
        let syntax = self.objects.next()?.syntax()?;
        let is_implied = self.implied && self.objects.len() == 0;
        Some(IndexPart { syntax, has_length: syntax.fixed_len().is_none() && !is_implied })
    }
}

struct IndexPart {
    syntax: &'static Syntax,
    has_length: bool,
}

#[cfg(test)]
mod tests;
