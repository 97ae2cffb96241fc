//! The flags in the form of the manual pages and completions.

use portreeve_usage::{Flag, OptionEntry, OptionGroup as Listed, OptionLetter};

use super::{FlagGroup, application, application::LetterValue, output_letters, table};
use crate::verb::Verb;

/// Returns the flags of a verb in groups.
pub(crate) fn groups(verb: Verb) -> Vec<Listed> {
    let group = |group: FlagGroup| Listed { heading: title(group), entries: entries(verb, group) };
    FlagGroup::ALL.into_iter().map(group).filter(|listed| !listed.entries.is_empty()).collect()
}

fn title(group: FlagGroup) -> &'static str {
    match group {
        FlagGroup::General => "",
        other => other.heading(),
    }
}

fn entries(verb: Verb, group: FlagGroup) -> Vec<OptionEntry> {
    let flags = table::all().filter(|flag| flag.group == group && flag.verbs.contains(&verb));
    flags
        .map(|flag| {
            let letters = match flag.name.short() {
                Some('O') => output_letters(),
                Some('C') => application_letters(verb),
                _ => Vec::new(),
            };
            let help = flag.help.trim_end_matches(':');
            let (short, long) = (flag.name.short(), flag.name.long());
            OptionEntry { flag: Flag { short, long, value: flag.value, help }, letters }
        })
        .filter(|entry| entry.flag.short != Some('C') || !entry.letters.is_empty())
        .collect()
}

fn output_letters() -> Vec<OptionLetter> {
    let letter = |&(letter, help)| OptionLetter { letter, value: String::new(), help };
    output_letters::LETTERS.iter().map(letter).collect()
}

fn application_letters(verb: Verb) -> Vec<OptionLetter> {
    application::letters(verb)
        .map(|letter| {
            let value = match letter.value {
                LetterValue::None => String::new(),
                LetterValue::Number => "NUM".to_owned(),
                LetterValue::NextWord(name) | LetterValue::Word(name) => format!(" {name}"),
            };
            OptionLetter { letter: letter.letter, value, help: letter.help }
        })
        .collect()
}
