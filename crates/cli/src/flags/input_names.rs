//! The completion of names from the command line: `-I`.

use portreeve_mib::names::Names;
use portreeve_smi::display_arcs;
use regex_lite::RegexBuilder;

use super::{FlagError, Settings};
use crate::verb::Verb;

/// The changes that are applied to every name before it is looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InputNames {
    /// `-Is`: the suffix that is appended to every name.
    suffix: String,
    /// `-IS`: the prefix that is put before every name.
    prefix: String,
    /// `-Iu`: numeric names without a leading dot are below mib-2.
    below_mib_2: bool,
    /// `-Ib`: a name is a regular expression. It stands for the object in whose name the expression
    /// matches earliest.
    best_match: bool,
    /// `-IR`: `snmptranslate` accepts names without their module, as the other commands do.
    accept_any_name: bool,
}

impl InputNames {
    /// Returns true if names without a module are accepted everywhere.
    pub(crate) fn accepts_any_name(&self) -> bool {
        self.accept_any_name
    }

    /// Returns true if names are regular expressions, which are compared with all definitions.
    pub(crate) fn matches_patterns(&self) -> bool {
        self.best_match
    }

    /// Completes the names among the operands of a verb. Unknown names are reported when they are
    /// looked up.
    pub(crate) fn complete(&self, verb: Verb, known: &Names, operands: &mut [String]) {
        if *self == Self::default() {
            return;
        }
        if verb.sends_notifications() {
            // The operands before the variables differ between the versions.
            return;
        }
        let (first, step) = match verb {
            Verb::Translate => (0, 1),
            Verb::Set => (1, 3),
            _ => (1, 1),
        };
        for name in operands.iter_mut().skip(first).step_by(step) {
            *name = self.completed(known, name);
        }
    }

    fn completed(&self, known: &Names, name: &str) -> String {
        let dot = if self.suffix.is_empty() || self.suffix.starts_with('.') { "" } else { "." };
        let name = format!("{}{name}{dot}{}", self.prefix, self.suffix);
        if self.below_mib_2 && name.starts_with(|first: char| first.is_ascii_digit()) {
            return format!(".1.3.6.1.2.1.{name}");
        }
        let is_pattern = self.best_match && !name.starts_with('.') && !name.contains("::");
        if is_pattern { best_match_oid(known, &name).unwrap_or(name) } else { name }
    }
}

/// Returns the OID of the object in whose name the expression matches earliest. If several objects
/// match equally early, returns the first one. Numbers at the end are the index.
fn best_match_oid(known: &Names, text: &str) -> Option<String> {
    let end = text.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.').len();
    let index = text.match_indices('.').map(|(at, _)| at).find(|at| *at >= end);
    let (pattern, rest) = text.split_at_checked(index.unwrap_or(text.len()))?;
    let expression = RegexBuilder::new(pattern).case_insensitive(true).build().ok()?;
    let matches =
        known.in_order().filter_map(|(_, object)| Some((expression.find(object.name)?.start(), object)));
    let (_, object) = matches.min_by_key(|(start, _)| *start)?;
    Some(format!(".{}{rest}", display_arcs(object.arcs())))
}

/// Parses `-I LETTERS`. The letters `s` and `S` take the rest of the word or the next word as their
/// value.
pub(super) fn parse_flag(
    settings: &mut Settings,
    letters: &str,
    next_word: &mut dyn FnMut() -> Option<String>,
) -> Result<(), FlagError> {
    let mut letters = letters.chars();
    while let Some(letter) = letters.next() {
        let names = &mut settings.input_names;
        match letter {
            'R' => names.accept_any_name = !names.accept_any_name,
            'b' => names.best_match = !names.best_match,
            'u' => names.below_mib_2 = !names.below_mib_2,
            'r' => settings.unchecked_values = !settings.unchecked_values,
            'h' => settings.without_display_hints = !settings.without_display_hints,
            's' | 'S' => {
                let attached = Some(letters.as_str()).filter(|text| !text.is_empty()).map(str::to_owned);
                let value = attached.or_else(next_word).ok_or_else(|| FlagError::usage(""))?;
                *(if letter == 's' { &mut names.suffix } else { &mut names.prefix }) = value;
                return Ok(());
            }
            other => return Err(FlagError::Usage(format!("Unknown input option passed to -I: {other}."))),
        }
    }
    Ok(())
}
