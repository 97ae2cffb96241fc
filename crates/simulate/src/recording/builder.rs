//! Puts what the parsers read in order, and into its final form.

use std::collections::{BTreeMap, btree_map::Entry};

use portreeve_smi::{
    Oid, OwnedValue,
    ber::{ForwardWriter, Reader, Tag},
};

use super::{Expected, Problem, ROOT, Recording, Row};

/// Collects instances and problems.
#[derive(Default)]
pub(super) struct Builder {
    instances: BTreeMap<Box<[u32]>, Encoded>,
    problems: Vec<Problem>,
    arcs: usize,
    octets: usize,
}

impl Builder {
    /// Takes an instance, or what is wrong with it. The first of several with one name is kept.
    pub(super) fn add(&mut self, line: usize, instance: Result<(Oid, OwnedValue), Expected>) {
        if let Err(expected) = instance.and_then(|(name, value)| self.insert(&name, &value)) {
            self.problems.push(Problem { line, expected });
        }
    }

    fn insert(&mut self, name: &[u32], value: &OwnedValue) -> Result<(), Expected> {
        let [ROOT, below @ ..] = name else { return Err(Expected::Name) };
        if below.is_empty() {
            return Err(Expected::Name);
        }
        let (tag, content) = encode(value).ok_or(Expected::Less)?;
        let (arcs, octets) = (self.arcs + below.len(), self.octets + content.len());
        if u32::try_from(arcs.max(octets)).is_err() {
            return Err(Expected::Less);
        }
        match self.instances.entry(below.into()) {
            Entry::Occupied(_) => return Err(Expected::NewName),
            Entry::Vacant(entry) => entry.insert((tag, content)),
        };
        (self.arcs, self.octets) = (arcs, octets);
        Ok(())
    }

    pub(super) fn finish(self) -> (Recording, Vec<Problem>) {
        let mut arcs = Vec::with_capacity(self.arcs);
        let mut content = Vec::with_capacity(self.octets);
        let mut rows = Vec::with_capacity(self.instances.len());
        for (name, (tag, octets)) in self.instances {
            arcs.extend_from_slice(&name);
            content.extend_from_slice(&octets);
            // `insert` has seen to it that both fit.
            let end = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
            rows.push(Row { arcs_end: end(arcs.len()), content_end: end(content.len()), tag });
        }
        let recording = Recording { arcs: arcs.into(), content: content.into(), rows: rows.into() };
        (recording, self.problems)
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

/// Octets around a value in a variable binding: a short name, and headers of up to six octets each.
const HEADERS: usize = 24;
