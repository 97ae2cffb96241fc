//! The manual page of `portreeve yang`.

use portreeve_usage::{Block, Command, Completion, OptionGroup, Page, Section};

use crate::arguments::{COMMANDS, CommandDefinition, HELP_OPTIONS, MODULE_HELP, SUMMARY};

/// Returns the manual page.
pub fn page() -> Page {
    Page {
        synopsis: COMMANDS.iter().map(|command| format!("{} {}", command.name, command.synopsis)).collect(),
        description: vec![
            Block::text(SUMMARY.replace('\n', " ")),
            Block::text(MODULE_HELP),
            Block::text(
                "The schema file contains the nodes and types of \
                 the modules after typedefs, groupings, augments and deviations are resolved, and the exact \
                 texts of the modules. If a module is invalid, all errors are printed with file and line, and \
                 an existing schema file stays unchanged.",
            ),
            Block::text(
                "In each directory, a module NAME is in `NAME.yang` or `NAME@REVISION.yang`. Of several \
                 revisions in one directory, an import without a revision gets the newest.",
            ),
            Block::text(
                "`show` and `check` print the modules, then the nodes of each module as a tree diagram (RFC 8340), \
                 then the `must` and `when` statements, each with its file, line and node.",
            ),
            Block::text(
                "portreeved runs `compile --shipped` for the modules that its configuration names. `must` and \
                 `when` statements that configuration from a client can violate are refused then, because \
                 portreeved does not evaluate them yet.",
            ),
            Block::text("Compiling is limited to 2 GiB of memory and two minutes of processor time."),
        ],
        commands: COMMANDS.into_iter().map(describe).collect(),
        options: vec![OptionGroup { heading: "", entries: HELP_OPTIONS.map(Into::into).to_vec() }],
        sections: vec![
            Section::new(
                "EXAMPLES",
                [
                    Block::text("Check a module whose imports are in another directory:"),
                    Block::code("portreeve yang check --path /usr/share/yang acme-dialplan.yang"),
                    Block::text("Check that portreeved can serve it, and print the nodes of all modules:"),
                    Block::code("portreeve yang check --shipped acme-dialplan.yang"),
                ],
            ),
            Section::exit_status(&[
                (0, "the command succeeded"),
                (1, "a module or schema file is invalid, or a file cannot be read or written"),
                (2, "invalid command line"),
            ]),
        ],
        see_also: vec!["portreeve(1)".into(), "portreeved(8)".into()],
        ..Page::new("portreeve yang", 1, "compile YANG modules to a schema file")
    }
}

fn describe(command: &CommandDefinition) -> Command {
    Command {
        name: command.name,
        synopsis: command.synopsis,
        help: command.help,
        options: command.options.iter().map(|flag| (*flag).into()).collect(),
        operands: Completion::Files,
    }
}
