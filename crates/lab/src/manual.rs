//! The manual page of portreeve lab.

use portreeve_usage::{Block, Command, Completion, Page, Section};

use crate::commands::{COMMANDS, CommandDefinition};
use crate::experiments::bench::EXPERIMENTS;

/// Returns the manual page.
pub fn page() -> Page {
    Page {
        synopsis: COMMANDS
            .iter()
            .map(|command| format!("{} {}", command.name, command.synopsis).trim_end().to_owned())
            .collect(),
        description: vec![
            Block::text(
                "Measures the cost of each configuration choice on the machine that it runs on. All servers listen on loopback or in \
                 network namespaces created for the purpose. The program stops only processes that it has started.",
            ),
            Block::text(
                "Figures are measured in interleaved rounds, so that other load on the machine affects all \
                 of them equally; the best round and the median are reported.",
            ),
        ],
        commands: COMMANDS.iter().map(describe).collect(),
        sections: vec![
            Section::new(
                "EXPERIMENTS OF BENCH",
                EXPERIMENTS.iter().map(|one| Block::item(one.name, one.description)),
            ),
            Section::new(
                "EXAMPLES",
                [
                    Block::text("Run two experiments with longer rounds:"),
                    Block::code(
                        "portreeve lab bench --only throughput --only codec \\\n    --seconds 5 --json figures.json",
                    ),
                ],
            ),
            Section::exit_status(&[
                (0, "success"),
                (1, "failure, or an invalid command line; the reason is printed"),
            ]),
        ],
        see_also: vec!["portreeved(8)".into()],
        ..Page::new("portreeve lab", 1, "measure the cost of configuration choices")
    }
}

fn describe(command: &CommandDefinition) -> Command {
    Command {
        name: command.name,
        synopsis: command.synopsis,
        help: command.help,
        options: command.options.iter().map(|flag| (*flag).into()).collect(),
        operands: if command.synopsis == "DIR" { Completion::Directories } else { Completion::Nothing },
    }
}
