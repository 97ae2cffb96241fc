//! The manual pages of the command. Flags, letters, environment variables and directives are taken
//! from their definitions; `prose` contains the hand-written text.

mod prose;

use portreeve_usage::{Block, Command, Completion, Page, Section};

use crate::{environment::Variable, external, flags, snmp_conf, verb::Verb};

/// Returns a page for each verb.
pub fn verbs() -> Vec<Page> {
    Verb::ALL.into_iter().map(verb_page).collect()
}

/// Returns the page of the command as a whole.
pub fn page() -> Page {
    let command = |name, synopsis, help| Command {
        name,
        synopsis,
        help,
        options: Vec::new(),
        operands: Completion::Nothing,
    };
    let verbs = Verb::ALL.into_iter().map(|verb| command(verb.name(), verb.operands(), verb.summary()));
    let programs = external::PROGRAMS.into_iter().map(|(name, help)| command(name, "", help));
    let names = Verb::ALL.into_iter().map(Verb::name).chain(external::PROGRAMS.map(|(name, _)| name));
    let pages = names.map(|name| format!("portreeve-{name}(1)"));
    Page {
        synopsis: vec!["VERB [OPTIONS] ...".into(), "VERB --help".into()],
        description: prose::COMMAND.iter().map(|text| Block::text(*text)).collect(),
        commands: verbs.chain(programs).collect(),
        sections: vec![
            Section::new("EXAMPLES", examples(prose::COMMAND_EXAMPLES)),
            exit_status(),
            environment(Variable::ALL),
            files(),
            Section::new("SNMP.CONF DIRECTIVES", directives()),
        ],
        see_also: pages.chain(["snmp.conf(5)".into(), "portreeved(8)".into()]).collect(),
        ..Page::new("portreeve", 1, "query and manage SNMP agents")
    }
}

fn verb_page(verb: Verb) -> Page {
    let prose = prose::for_verb(verb.name());
    let mut description: Vec<_> = prose.description.iter().map(|text| Block::text(*text)).collect();
    let sends_requests = verb != Verb::Translate;
    if sends_requests {
        description.push(Block::text(format!(
            "{} portreeve(1) describes how each transport authenticates the user.",
            if verb.sends_notifications() { prose::RECEIVER } else { prose::AGENT }
        )));
    }
    let appendix = flags::appendix(verb);
    if !appendix.is_empty() {
        description.push(Block::code(trimmed(appendix)));
    }
    let operands = if sends_requests { Completion::Hosts } else { Completion::Nothing };
    let mut sections = vec![Section::new("EXAMPLES", examples(prose.examples))];
    sections.retain(|section| !section.blocks.is_empty());
    sections.push(match verb {
        Verb::Translate => Section::exit_status(&TRANSLATE_EXIT_STATUS),
        Verb::Doctor => Section::exit_status(&DOCTOR_EXIT_STATUS),
        Verb::Trap | Verb::Inform => Section::exit_status(&NOTIFICATION_EXIT_STATUS),
        _ => exit_status(),
    });
    sections.extend([environment(Variable::of(verb)), files()]);
    let others = prose.see_also.iter().map(|name| format!("portreeve-{name}(1)"));
    Page {
        synopsis: synopsis(verb),
        description,
        options: flags::groups(verb),
        operands,
        sections,
        see_also: others.chain(["portreeve(1)".into(), "snmp.conf(5)".into()]).collect(),
        classic_name: Some(verb.classic_name()).filter(|name| name.starts_with("snmp")),
        ..Page::new(format!("portreeve {}", verb.name()), 1, verb.summary())
    }
}

fn synopsis(verb: Verb) -> Vec<String> {
    let usual = format!("[OPTIONS] {}", verb.operands());
    let via_daemon = "--via-daemon [OPTIONS] UPTIME TRAP-OID [OID TYPE VALUE]...".to_owned();
    if verb.sends_notifications() { vec![usual, via_daemon] } else { vec![usual] }
}

fn examples(table: &[(&str, &str)]) -> Vec<Block> {
    table.iter().flat_map(|(purpose, lines)| [Block::text(*purpose), Block::code(*lines)]).collect()
}

fn exit_status() -> Section {
    Section::exit_status(&[
        (0, "success"),
        (1, "invalid command line, no session, or no response in time"),
        (2, "the agent returned an error"),
    ])
}

fn environment(variables: impl IntoIterator<Item = Variable>) -> Section {
    let item = |variable: Variable| Block::item(variable.name(), variable.help());
    Section::new("ENVIRONMENT", variables.into_iter().map(item))
}

fn files() -> Section {
    Section::new(
        "FILES",
        [Block::item(
            "/etc/snmp/snmp.conf, ~/.snmp/snmp.conf",
            "defaults for the options; see portreeve(1) for the directives",
        )],
    )
}

fn directives() -> Vec<Block> {
    let introduction = "The following directives are supported; letter case is ignored. Unknown directives are \
                        reported with file and line, and the rest of the file is still read.";
    let list = snmp_conf::directives().map(|(word, value)| format!("{word:<24} {value}\n"));
    vec![Block::text(introduction), Block::code(list.collect::<String>())]
}

/// Removes the empty lines before and after the text.
/// Removes empty lines at both ends, and the indentation of the first line from all lines.
fn trimmed(text: &str) -> String {
    let text = text.trim_matches('\n');
    let indentation = text.get(..text.len() - text.trim_start().len()).unwrap_or_default();
    text.lines().map(|line| format!("{}\n", line.strip_prefix(indentation).unwrap_or(line))).collect()
}

const TRANSLATE_EXIT_STATUS: [(u8, &str); 3] =
    [(0, "success"), (1, "invalid command line, or no such module"), (2, "unknown name")];

const NOTIFICATION_EXIT_STATUS: [(u8, &str); 3] = [
    (0, "success"),
    (1, "invalid command line, no session, or no response in time"),
    (
        2,
        "the receiver returned an error; with `--via-daemon`: portreeved has refused the notification, or no target gets it",
    ),
];

const DOCTOR_EXIT_STATUS: [(u8, &str); 2] =
    [(0, "every step succeeded"), (1, "a step failed, or the command line is invalid")];

#[cfg(test)]
mod tests;
