//! The flags as the manual and the completions have them.

use portreeve_usage::{Entry, Flag, Group as Listed, Letter};

use super::{Group, application, application::Value, output_letters, table};
use crate::verb::Verb;

/// A verb's flags under their headings.
pub(crate) fn groups(verb: Verb) -> Vec<Listed> {
    let group = |group: Group| Listed { heading: title(group), entries: entries(verb, group) };
    Group::ALL.into_iter().map(group).filter(|listed| !listed.entries.is_empty()).collect()
}

fn title(group: Group) -> &'static str {
    match group {
        Group::General => "",
        other => other.heading(),
    }
}

fn entries(verb: Verb, group: Group) -> Vec<Entry> {
    let flags = table::all().filter(|flag| flag.group == group && flag.verbs.contains(&verb));
    flags
        .map(|flag| {
            let letters = match flag.name.short() {
                Some('O') => output_letters(),
                Some('C') => application_letters(verb),
                _ => Vec::new(),
            };
            let does = flag.help.trim_end_matches(':');
            let (short, long) = (flag.name.short(), flag.name.long());
            Entry { flag: Flag { short, long, value: flag.value, does }, letters }
        })
        .filter(|entry| entry.flag.short != Some('C') || !entry.letters.is_empty())
        .collect()
}

fn output_letters() -> Vec<Letter> {
    let letter = |&(letter, does)| Letter { letter, value: String::new(), does };
    output_letters::LETTERS.iter().map(letter).collect()
}

fn application_letters(verb: Verb) -> Vec<Letter> {
    application::letters(verb)
        .map(|letter| {
            let value = match letter.value {
                Value::None => String::new(),
                Value::Number => "NUM".to_owned(),
                Value::NextWord(name) | Value::Word(name) => format!(" {name}"),
            };
            Letter { letter: letter.letter, value, does: letter.help }
        })
        .collect()
}
