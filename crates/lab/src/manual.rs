//! What the manual says about the lab.

use portreeve_usage::{Block, Command, Completes, Page, Section};

use crate::commands::{COMMANDS, Definition};
use crate::experiments::bench::EXPERIMENTS;

/// The page of the program.
pub fn page() -> Page {
    Page {
        synopsis: COMMANDS
            .iter()
            .map(|command| format!("{} {}", command.name, command.synopsis).trim_end().to_owned())
            .collect(),
        description: vec![
            Block::text(
                "Measures what every choice costs on the machine it runs on. Everything listens on loopback or inside \
                 network namespaces made for the purpose, and only what was started here is ended.",
            ),
            Block::text(
                "Figures are taken in interleaved rounds, so that whatever else the machine does befalls all of them \
                 alike; the best round and the median are told.",
            ),
        ],
        commands: COMMANDS.iter().map(describe).collect(),
        sections: vec![
            Section::new(
                "EXPERIMENTS OF BENCH",
                EXPERIMENTS.iter().map(|one| Block::item(one.name, one.finds)),
            ),
            Section::new(
                "EXAMPLES",
                [
                    Block::text("Two of the experiments, for longer:"),
                    Block::code(
                        "portreeve lab bench --only throughput --only codec \\\n    --seconds 5 --json figures.json",
                    ),
                ],
            ),
            Section::exit_status(&[
                (0, "measured"),
                (1, "not measured, for a reason that is told; the command line may mean nothing"),
            ]),
        ],
        see_also: vec!["portreeved(8)".into()],
        ..Page::new("portreeve lab", 1, "measure what every choice costs")
    }
}

fn describe(command: &Definition) -> Command {
    Command {
        name: command.name,
        synopsis: command.synopsis,
        does: command.does,
        options: command.options.iter().map(|flag| (*flag).into()).collect(),
        operands: if command.synopsis == "DIR" { Completes::Directories } else { Completes::Nothing },
    }
}
