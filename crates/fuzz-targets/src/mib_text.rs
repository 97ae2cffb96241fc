//! Arbitrary octets as the text of MIB modules.

use portreeve_mib::format::OutputFormat;
use portreeve_mib_files::{LoadedMibs, load_text};

/// Checks that all definitions can be formatted and resolved, and that every problem is a single
/// line.
pub fn mib_text(octets: &[u8]) {
    // Longer inputs are skipped: definitions are never freed, so such inputs would only fill the
    // memory.
    if octets.len() <= MAX_INPUT_LEN {
        exercise_all(&load_text(octets));
    }
}

/// Uses every definition that was loaded.
pub(crate) fn exercise_all(loaded: &LoadedMibs) {
    for problem in &loaded.warnings {
        let line = problem.to_string();
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
    let format = OutputFormat { definitions: loaded.names, ..OutputFormat::default() };
    for module in &loaded.modules {
        for object in module.objects {
            let arcs = object.arcs();
            assert!((1..=128).contains(&arcs.len()), "{object:?} has {} arcs", arcs.len());
            let found = loaded.names.resolve(arcs);
            assert!(found.is_some_and(|found| found.suffix.is_empty()), "{object:?} is not found");
            let mut text = String::new();
            format.name(&mut text, &[arcs, &[1, 2, 3]].concat());
            let parent = object.parent.map_or(0, |parent| parent.arcs().len());
            assert!(parent < arcs.len(), "{object:?} has no more arcs than its parent");
            let _ = (object.index(), object.syntax().map(|syntax| (syntax.limits(), syntax.labels())));
        }
        for convention in module.conventions {
            let _ = (convention.syntax.limits(), convention.syntax.labels());
        }
    }
}

const MAX_INPUT_LEN: usize = 16 << 10;
