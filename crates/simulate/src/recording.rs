//! Recordings of agents: instances and their values, sorted by name.
//!
//! A recording is read once and shared by all agents that play it. To save memory, all names are in
//! one allocation and all values are in another, as BER content.

mod builder;
mod line_error;
mod snmprec;
mod snmpwalk;
mod variation;

use std::path::Path;

use portreeve_mib::{modules::framework_mib::SNMP_ENGINE_ID, names, rows};
use portreeve_smi::{Value, ber::Tag};

pub use line_error::{LineError, SyntaxError};
pub use variation::{DelayVariation, NumericVariation, Variation};

use builder::Builder;

/// Instances below [`ROOT`] and their values, sorted by name.
#[derive(Debug, Default)]
pub struct Recording {
    arcs: Box<[u32]>,
    content: Box<[u8]>,
    rows: Box<[Row]>,
    /// The variations of the rows that vary, sorted by row.
    variations: Box<[(u32, Variation)]>,
    /// The row of snmpEngineID.0, if the recording contains it.
    engine_id: Option<usize>,
}

impl Recording {
    /// Reads a recording. Invalid lines are skipped and returned as errors.
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

    /// Returns the number of instances.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if there are no instances.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the name of an instance without [`ROOT`]; empty after the last instance.
    pub fn name(&self, row: usize) -> &[u32] {
        let start = self.before(row).map_or(0, |before| before.arcs_end);
        let end = self.rows.get(row).map_or(start, |row| row.arcs_end);
        self.arcs.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Returns the value of an instance, or its initial value if it varies; `None` after the last
    /// instance.
    pub fn value(&self, row: usize) -> Option<Value<'_>> {
        let start = self.before(row).map_or(0, |before| before.content_end);
        let row = self.rows.get(row)?;
        let content = self.content.get(start as usize..row.content_end as usize)?;
        Value::from_content(row.tag, content).ok()
    }

    /// Returns the row of snmpEngineID.0. Its recorded value belongs to another engine.
    pub fn engine_id(&self) -> Option<usize> {
        self.engine_id
    }

    /// Returns the variation of an instance, if it varies.
    pub fn variation(&self, row: usize) -> Option<&Variation> {
        self.rows.get(row).filter(|row| row.varies)?;
        let position = self.variations.binary_search_by_key(&row, |(row, _)| *row as usize).ok()?;
        self.variations.get(position).map(|(_, variation)| variation)
    }

    /// Returns the row of the first instance after `name`. `hint` has the same meaning as for
    /// [`rows::successor`].
    pub fn successor(&self, name: &[u32], hint: &mut usize) -> Option<usize> {
        rows::successor(self.len(), |row| self.name(row), name, hint)
    }

    /// Returns the row of the instance `name`, if the recording contains it.
    pub fn exact(&self, name: &[u32], hint: &mut usize) -> Option<usize> {
        rows::exact(self.len(), |row| self.name(row), name, hint)
    }

    /// Returns true if the recording contains the object of the instance `name`, which does not
    /// include [`ROOT`].
    ///
    /// If the object has no definition, all arcs of the name but the last one are taken as the
    /// object.
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

/// The format of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordingFormat {
    /// The output of Net-SNMP's `snmpwalk`, with `-On` or with known names.
    Snmpwalk,
    /// Lines of the form `OID|TAG|VALUE`.
    Snmprec,
}

impl RecordingFormat {
    /// Selects the format by the extension of the file: `.snmprec` means [`Self::Snmprec`],
    /// anything else [`Self::Snmpwalk`].
    pub fn of(path: &Path) -> Self {
        match path.extension() {
            Some(ending) if ending == "snmprec" => Self::Snmprec,
            _ => Self::Snmpwalk,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Row {
    /// The position in `arcs` after the name.
    arcs_end: u32,
    /// The position in `content` after the value.
    content_end: u32,
    tag: Tag,
    varies: bool,
}

/// The first arc of all names in SNMP: iso. Names are stored without it.
pub const ROOT: u32 = 1;

#[cfg(test)]
mod tests;
