//! Arbitrary octets as a recording in either format. The first octet selects the format.

use std::{collections::BTreeSet, time::Duration};

use portreeve_simulate::recording::{ROOT, Recording, RecordingFormat, Variation};

/// Checks that names are unique and sorted, that every value can be read, that every instance is
/// found, and that each problem refers to an existing line.
pub fn recording(octets: &[u8]) {
    let Some((choice, text)) = octets.split_first() else { return };
    let format = if choice % 2 == 0 { RecordingFormat::Snmpwalk } else { RecordingFormat::Snmprec };
    let (recording, problems) = Recording::read(format, text);
    let lines = text.split(|octet| *octet == b'\n').count();
    for problem in &problems {
        assert!((1..=lines).contains(&problem.line), "{problem}");
    }
    let names: BTreeSet<&[u32]> = (0..recording.len()).map(|row| recording.name(row)).collect();
    assert_eq!(names.len(), recording.len(), "duplicate names");
    for (row, name) in names.into_iter().enumerate() {
        assert_eq!(recording.name(row), name, "out of order below {ROOT}");
        assert!(recording.value(row).is_some(), "{name:?} has no value");
        assert_eq!(recording.exact(name, &mut 0), Some(row));
        match recording.variation(row) {
            Some(Variation::Numeric(numeric)) => drop(numeric.at(Duration::MAX, 1)),
            Some(Variation::Delay(delay)) => drop(delay.at(Duration::MAX, 1)),
            Some(Variation::Error) | None => {}
        }
        assert!(name.len() < 2 || recording.has_object(name), "{name:?} has no object");
    }
}
