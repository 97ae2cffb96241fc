//! What an agent has said once: instances and their values, in order.
//!
//! A recording is read once and shared by every agent that plays it, so it is kept small: all names in one piece of
//! memory, all values as BER content in another.

mod builder;
mod line_error;
mod snmprec;
mod snmpwalk;
mod variation;

use std::path::Path;

use portreeve_mib::{modules::framework_mib::SNMP_ENGINE_ID, names, rows};
use portreeve_smi::{Value, ber::Tag};

pub use line_error::{Expected, LineError};
pub use variation::{DelayVariation, NumericVariation, Variation};

use builder::Builder;

/// Instances below [`ROOT`] and their values, in the order of their names.
#[derive(Debug, Default)]
pub struct Recording {
    arcs: Box<[u32]>,
    content: Box<[u8]>,
    rows: Box<[Row]>,
    /// Of those rows that vary, in their order.
    variations: Box<[(u32, Variation)]>,
    /// The row of snmpEngineID.0.
    engine_id: Option<usize>,
}

impl Recording {
    /// Reads a recording. A line that means nothing is left out and told of.
    pub fn read(format: RecordingFormat, text: &[u8]) -> (Self, Vec<LineError>) {
        let mut builder = Builder::default();
        match format {
            RecordingFormat::Snmpwalk => snmpwalk::read(text, &mut builder),
            RecordingFormat::Snmprec => snmprec::read(text, &mut builder),
        }
        let (mut recording, errors) = builder.finish();
        let engine_id = [SNMP_ENGINE_ID.arcs().get(1..).unwrap_or_default(), &[0]].concat();
        recording.engine_id = recording.exact(&engine_id, &mut 0);
        (recording, errors)
    }

    /// How many instances there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The name of an instance without [`ROOT`]; empty past the last.
    pub fn name(&self, row: usize) -> &[u32] {
        let start = self.before(row).map_or(0, |before| before.arcs_end);
        let end = self.rows.get(row).map_or(start, |row| row.arcs_end);
        self.arcs.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The value of an instance, of one that varies as it begins; `None` past the last.
    pub fn value(&self, row: usize) -> Option<Value<'_>> {
        let start = self.before(row).map_or(0, |before| before.content_end);
        let row = self.rows.get(row)?;
        let content = self.content.get(start as usize..row.content_end as usize)?;
        Value::from_content(row.tag, content).ok()
    }

    /// Where snmpEngineID.0 stands, whose recorded value is that of another engine.
    pub fn engine_id(&self) -> Option<usize> {
        self.engine_id
    }

    /// How an instance varies, if it does.
    pub fn variation(&self, row: usize) -> Option<&Variation> {
        self.rows.get(row).filter(|row| row.varies)?;
        let position = self.variations.binary_search_by_key(&row, |(row, _)| *row as usize).ok()?;
        self.variations.get(position).map(|(_, variation)| variation)
    }

    /// The position of the first instance behind `name`, `hint` as for [`rows::successor`].
    pub fn successor(&self, name: &[u32], hint: &mut usize) -> Option<usize> {
        rows::successor(self.len(), |row| self.name(row), name, hint)
    }

    /// The position of exactly this instance.
    pub fn exact(&self, name: &[u32], hint: &mut usize) -> Option<usize> {
        rows::exact(self.len(), |row| self.name(row), name, hint)
    }

    /// Whether the agent has the object of which `name`, without [`ROOT`], would be an instance.
    ///
    /// Where the object has no definition here, all but the last arc of a name is taken for one.
    pub fn has_object(&self, name: &[u32]) -> bool {
        let full = [&[ROOT], name].concat();
        let defined = names::resolve(&full).filter(|found| found.object.syntax().is_some());
        let object = match &defined {
            Some(found) => name.get(..name.len().saturating_sub(found.suffix.len())),
            None => name.split_last().map(|(_, object)| object),
        };
        let Some(object) = object.filter(|object| !object.is_empty()) else { return false };
        let first = self.successor(object, &mut 0);
        first.is_some_and(|row| self.name(row).starts_with(object))
    }

    fn before(&self, row: usize) -> Option<&Row> {
        self.rows.get(row.checked_sub(1)?)
    }
}

/// How a recording is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordingFormat {
    /// What Net-SNMP's `snmpwalk` prints, with `-On` or with names that are known here.
    Snmpwalk,
    /// Lines `OID|TAG|VALUE`.
    Snmprec,
}

impl RecordingFormat {
    /// By the ending of the file's name: `.snmprec`, or anything else.
    pub fn of(path: &Path) -> Self {
        match path.extension() {
            Some(ending) if ending == "snmprec" => Self::Snmprec,
            _ => Self::Snmpwalk,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Row {
    /// Where the name ends among all arcs.
    arcs_end: u32,
    /// Where the value ends among all content.
    content_end: u32,
    tag: Tag,
    varies: bool,
}

/// The arc that all of SNMP lies below: iso. Names are kept without it.
pub const ROOT: u32 = 1;

#[cfg(test)]
mod tests;
