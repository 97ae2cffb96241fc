//! What the manual says about the command. Flags, letters, environment and words come from where they are defined;
//! `prose` has what only people can say.

mod prose;

use portreeve_usage::{Block, Command, Completion, Page, Section};

use crate::{environment::Variable, external, flags, snmp_conf, verb::Verb};

/// A page for each verb.
pub fn verbs() -> Vec<Page> {
    Verb::ALL.into_iter().map(verb_page).collect()
}

/// The page of the command as a whole.
pub fn page() -> Page {
    let command = |name, synopsis, does| Command {
        name,
        synopsis,
        help: does,
        options: Vec::new(),
        operands: Completion::Nothing,
    };
    let verbs = Verb::ALL.into_iter().map(|verb| command(verb.name(), verb.operands(), verb.summary()));
    let programs = external::PROGRAMS.into_iter().map(|(name, does)| command(name, "", does));
    let names = Verb::ALL.into_iter().map(Verb::name).chain(external::PROGRAMS.map(|(name, _)| name));
    let pages = names.map(|name| format!("portreeve-{name}(1)"));
    Page {
        synopsis: vec!["VERB [OPTIONS] ...".into(), "VERB --help".into()],
        description: prose::COMMAND.iter().map(|text| Block::text(*text)).collect(),
        commands: verbs.chain(programs).collect(),
        sections: vec![
            Section::new("EXAMPLES", examples(prose::COMMAND_EXAMPLES)),
            exit_status(),
            environment(),
            files(),
            Section::new("WORDS OF snmp.conf", directives()),
        ],
        see_also: pages.chain(["snmp.conf(5)".into(), "portreeved(8)".into()]).collect(),
        ..Page::new("portreeve", 1, "ask SNMP agents")
    }
}

fn verb_page(verb: Verb) -> Page {
    let prose = prose::for_verb(verb.name());
    let mut description: Vec<_> = prose.description.iter().map(|text| Block::text(*text)).collect();
    let appendix = flags::appendix(verb);
    if !appendix.is_empty() {
        description.push(Block::code(trimmed(appendix)));
    }
    let asking = verb != Verb::Translate;
    let operands = if asking { Completion::Hosts } else { Completion::Nothing };
    let mut sections = vec![Section::new("EXAMPLES", examples(prose.examples))];
    sections.retain(|section| !section.blocks.is_empty());
    sections.push(match verb {
        Verb::Translate => Section::exit_status(&TRANSLATE_EXIT_STATUS),
        Verb::Doctor => Section::exit_status(&DOCTOR_EXIT_STATUS),
        _ => exit_status(),
    });
    sections.extend([environment(), files()]);
    let others = prose.see_also.iter().map(|name| format!("portreeve-{name}(1)"));
    Page {
        synopsis: vec![format!("[OPTIONS] {}", verb.operands())],
        description,
        options: flags::groups(verb),
        operands,
        sections,
        see_also: others.chain(["portreeve(1)".into(), "snmp.conf(5)".into()]).collect(),
        classic_name: Some(verb.classic_name()).filter(|name| name.starts_with("snmp")),
        ..Page::new(format!("portreeve {}", verb.name()), 1, verb.summary())
    }
}

fn examples(table: &[(&str, &str)]) -> Vec<Block> {
    table.iter().flat_map(|(what, lines)| [Block::text(*what), Block::code(*lines)]).collect()
}

fn exit_status() -> Section {
    Section::exit_status(&[
        (0, "all is well"),
        (1, "the command line means nothing, there is no session, or no answer came in time"),
        (2, "the agent answered that there is an error"),
    ])
}

fn environment() -> Section {
    let item = |variable: Variable| Block::item(variable.name(), variable.help());
    Section::new("ENVIRONMENT", Variable::ALL.map(item))
}

fn files() -> Section {
    Section::new(
        "FILES",
        [Block::item(
            "/etc/snmp/snmp.conf, ~/.snmp/snmp.conf",
            "what holds where no option says otherwise; see portreeve(1) for its words",
        )],
    )
}

fn directives() -> Vec<Block> {
    let explained = "These words are understood, in any letter case. Another one is told with file and line, and the \
                     rest of the file holds.";
    let listed = snmp_conf::directives().map(|(word, value)| format!("{word:<24} {value}\n"));
    vec![Block::text(explained), Block::code(listed.collect::<String>())]
}

/// Lines without the blank ones around them.
fn trimmed(text: &str) -> String {
    text.trim().to_owned() + "\n"
}

const TRANSLATE_EXIT_STATUS: [(u8, &str); 2] =
    [(0, "all is well"), (1, "the command line means nothing, or there is no such name")];

const DOCTOR_EXIT_STATUS: [(u8, &str); 2] =
    [(0, "every step went well"), (1, "a step failed, or the command line means nothing")];

#[cfg(test)]
mod tests;
