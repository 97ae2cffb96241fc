//! Builds a recording from parsed instances.

use std::collections::{BTreeMap, btree_map::Entry};

use portreeve_smi::{
    Oid, OwnedValue,
    ber::{ForwardWriter, Reader, Tag},
};

use super::{LineError, ROOT, Recording, Row, SyntaxError, Variation};

/// Collects the instances of a recording, and the errors in its lines.
#[derive(Default)]
pub(super) struct Builder {
    instances: BTreeMap<Box<[u32]>, (Encoded, Option<Variation>)>,
    errors: Vec<LineError>,
    arcs: usize,
    octets: usize,
}

impl Builder {
    /// Adds an instance or an error. If several instances have the same name, the first is kept.
    pub(super) fn add(&mut self, line: usize, instance: Result<(Oid, OwnedValue), SyntaxError>) {
        self.add_varying(line, instance.map(|(name, value)| (name, value, None)));
    }

    /// Adds an instance that may vary, or an error, like [`Self::add`].
    pub(super) fn add_varying(
        &mut self,
        line: usize,
        instance: Result<(Oid, OwnedValue, Option<Variation>), SyntaxError>,
    ) {
        let inserted = instance.and_then(|(name, value, variation)| self.insert(&name, &value, variation));
        if let Err(expected) = inserted {
            self.errors.push(LineError { line, expected });
        }
    }

    fn insert(
        &mut self,
        name: &[u32],
        value: &OwnedValue,
        variation: Option<Variation>,
    ) -> Result<(), SyntaxError> {
        let [ROOT, below @ ..] = name else { return Err(SyntaxError::Name) };
        if below.is_empty() {
            return Err(SyntaxError::Name);
        }
        let (tag, content) = encode(value).ok_or(SyntaxError::TooLarge)?;
        let (arcs, octets) = (self.arcs + below.len(), self.octets + content.len());
        if u32::try_from(arcs.max(octets)).is_err() {
            return Err(SyntaxError::TooLarge);
        }
        match self.instances.entry(below.into()) {
            Entry::Occupied(_) => return Err(SyntaxError::UniqueName),
            Entry::Vacant(entry) => entry.insert(((tag, content), variation)),
        };
        (self.arcs, self.octets) = (arcs, octets);
        Ok(())
    }

    pub(super) fn finish(self) -> (Recording, Vec<LineError>) {
        let mut arcs = Vec::with_capacity(self.arcs);
        let mut content = Vec::with_capacity(self.octets);
        let mut rows = Vec::with_capacity(self.instances.len());
        let mut variations = Vec::new();
        for (name, ((tag, octets), variation)) in self.instances {
            arcs.extend_from_slice(&name);
            content.extend_from_slice(&octets);
            // `insert` has checked that both fit.
            let end = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
            let (arcs_end, content_end, varies) = (end(arcs.len()), end(content.len()), variation.is_some());
            variations.extend(variation.map(|variation| (end(rows.len()), variation)));
            rows.push(Row { arcs_end, content_end, tag, varies });
        }
        let recording = Recording {
            arcs: arcs.into(),
            content: content.into(),
            rows: rows.into(),
            variations: variations.into(),
            engine_id: None,
        };
        (recording, self.errors)
    }
}

/// The tag and the content octets of a value.
type Encoded = (Tag, Box<[u8]>);

fn encode(value: &OwnedValue) -> Option<Encoded> {
    let value = value.as_value();
    let mut buffer = vec![0; value.content_len() + HEADERS];
    let mut writer = ForwardWriter::new(&mut buffer);
    writer.var_bind(&[ROOT, 0], &value).ok()?;
    let mut reader = Reader::new(writer.written()).enter(Tag::SEQUENCE).ok()?;
    reader.expect(Tag::OBJECT_IDENTIFIER).ok()?;
    let (tag, content) = reader.read().ok()?;
    Some((tag, content.into()))
}

/// Octets in a variable binding besides the value: a short name and headers of up to six octets.
const HEADERS: usize = 24;
