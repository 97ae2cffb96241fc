//! Any octets as the text of MIB modules.

use portreeve_mib::format::Format;
use portreeve_mib_files::{Loaded, load_text};

/// Promises: whatever is read can be named, found again and shown, and every problem names its file in one line.
pub fn mib_text(octets: &[u8]) {
    // What is read stays, so that long inputs would only fill the memory.
    if octets.len() <= LONGEST {
        use_all(&load_text(octets));
    }
}

/// Asks every question there is about what was loaded.
pub(crate) fn use_all(loaded: &Loaded) {
    for problem in &loaded.problems {
        let line = problem.to_string();
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
    let format = Format { definitions: loaded.names, ..Format::default() };
    for module in &loaded.modules {
        for object in module.objects {
            let arcs = object.arcs();
            assert!((1..=128).contains(&arcs.len()), "{object:?} has {} arcs", arcs.len());
            let found = loaded.names.resolve(arcs);
            assert!(found.is_some_and(|found| found.suffix.is_empty()), "{object:?} is not found");
            let mut text = String::new();
            format.name(&mut text, &[arcs, &[1, 2, 3]].concat());
            let parent = object.parent.map_or(0, |parent| parent.arcs().len());
            assert!(parent < arcs.len(), "{object:?} stands above its parent");
            let _ = (object.index(), object.syntax().map(|syntax| (syntax.limits(), syntax.labels())));
        }
        for convention in module.conventions {
            let _ = (convention.syntax.limits(), convention.syntax.labels());
        }
    }
}

const LONGEST: usize = 16 << 10;
