//! Flags of `translate` only.

use super::{Apply, Extensions, Flag, General, Long, Short};
use crate::{flags::FlagError, verb::Verb};

pub(super) static FLAGS: &[Flag] = &[
    Flag {
        name: Short('T'),
        value: Some("TRANSOPTS"),
        group: General,
        verbs: &[Verb::Translate],
        help: "print B: all names that match OID as a regular expression; d: the full definition of OID; p: an \
               outline of the subtree OID; l: all known names with their numbers; o: all known object \
               identifiers; s: all known names",
        action: Apply(|settings, value| {
            for letter in super::text(value).chars() {
                let report = &mut settings.report;
                match letter {
                    'B' => report.matching = true,
                    'd' => report.details = true,
                    'p' => report.outline = true,
                    'l' => report.labeled_paths = true,
                    'o' => report.numbers = true,
                    's' => report.names = true,
                    'a' | 't' | 'z' => {
                        return Err(FlagError::Message(format!(
                            "-T{letter} is not supported; use d, p, l, o or s, or --export-smi for a module's text"
                        )));
                    }
                    other => {
                        return Err(FlagError::Usage(format!(
                            "Unknown translate option passed to -T: {other}."
                        )));
                    }
                }
            }
            Ok(())
        }),
    },
    Flag {
        name: Long("export-smi"),
        value: None,
        group: Extensions,
        verbs: &[Verb::Translate],
        help: "print the named MIB modules as SMIv2 text; without names, list the modules",
        action: Apply(|settings, _| {
            settings.export_smi = true;
            Ok(())
        }),
    },
];
