//! The manual page of portreeve lab.

use portreeve_usage::{Block, Command, Completion, Page, Section};

use crate::commands::{COMMANDS, CommandDefinition};
use crate::experiments::ALL;
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
                "Measures the cost of each configuration choice on the machine that it runs on, and what each way of securing \
                 management traffic costs. Programs run in network namespaces that exist as long as the lab, with an observer \
                 between manager and agent; without root, they run on loopback. The program sends messages only there, or to \
                 the address of `--against`, and stops only processes that it has started. It leaves nothing behind, even if \
                 it is killed.",
            ),
            Block::text(
                "Variants are measured in interleaved rounds, so that other load on the machine affects all of them equally.",
            ),
        ],
        commands: COMMANDS.iter().map(describe).collect(),
        sections: vec![
            Section::new(
                "EXPERIMENTS OF RUN",
                ALL.iter().map(|one| {
                    let papers = one.papers.join(", ");
                    let repeated = if papers.is_empty() { papers } else { format!(" Repeats {papers}.") };
                    Block::item(one.name, format!("{}.{repeated}", one.title))
                }),
            ),
            Section::new(
                "ROUNDS",
                [
                    Block::text(
                        "In each round every variant is measured once, in an order that the seed decides. The first round \
                         shows how long a round takes; the number of rounds follows from the budget: each experiment gets \
                         an equal share of the time that is left, and has at least 3 and at most 100 rounds.",
                    ),
                    Block::text(
                        "Ctrl-C ends the run after the current measurement; the report contains what was measured. The same \
                         command with the same `--out` resumes the run. It is refused if the plan, the machine or the \
                         programs have changed.",
                    ),
                ],
            ),
            Section::new("FILES", FILES.map(|(name, text)| Block::item(name, text))),
            Section::new(
                "CREDENTIALS",
                [
                    Block::text(
                        "The file of `--credentials` sets variables, one per line, as `credentials.env` of `portreeved demo`. \
                         Protocol stacks whose variables are missing are not measured. Ports other than the standard ones \
                         are taken from the addresses; the host is always that of `--against`.",
                    ),
                    Block::item("PORTREEVE_RO", "a community"),
                    Block::item(
                        "PORTREEVE_USER, PORTREEVE_AUTH, PORTREEVE_AUTH_PASS, PORTREEVE_PRIV, PORTREEVE_PRIV_PASS",
                        "a user, the algorithms and the pass phrases",
                    ),
                    Block::item(
                        "PORTREEVE_USERS",
                        "a file with more users, in the format of `users.tsv` of the demo",
                    ),
                    Block::item(
                        "PORTREEVE_SSH_USER, PORTREEVE_SSH_KEY, PORTREEVE_KNOWN_HOSTS",
                        "the login over SSH",
                    ),
                    Block::item(
                        "PORTREEVE_TLS_CERT, PORTREEVE_TLS_KEY, PORTREEVE_TLS_CA, PORTREEVE_SERVER_NAME",
                        "the certificates for TLS and DTLS, and the name in the agent's certificate (default: localhost)",
                    ),
                    Block::item(
                        "PORTREEVE_UDP, PORTREEVE_TCP, PORTREEVE_SSH, PORTREEVE_TLS, PORTREEVE_DTLS",
                        "an address with a port",
                    ),
                ],
            ),
            Section::new(
                "EXPERIMENTS OF BENCH",
                EXPERIMENTS.iter().map(|one| Block::item(one.name, one.description)),
            ),
            Section::new(
                "EXAMPLES",
                [
                    Block::text(
                        "Measure the tables and figures of paper 000 beside Net-SNMP, in half an hour:",
                    ),
                    Block::code("portreeve lab run 000 --peer net-snmp --budget 30m --out lab-000"),
                    Block::text("Measure a device with its own credentials:"),
                    Block::code(
                        "portreeve lab run one-shot walk --against gw.example \\\n    --credentials gw.env --out lab-gw",
                    ),
                    Block::text("Run two experiments of bench with longer rounds:"),
                    Block::code(
                        "portreeve lab bench --only throughput --only codec \\\n    --seconds 5 --json figures.json",
                    ),
                ],
            ),
            Section::exit_status(&[
                (0, "success"),
                (1, "failure, an interrupted run, or an invalid command line; the reason is printed"),
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
        operands: match command.name {
            "run" => Completion::Words(ALL.iter().map(|one| one.name).chain(["all"]).collect()),
            "analyse" => Completion::Files,
            _ if command.synopsis.starts_with("DIR") => Completion::Directories,
            _ => Completion::Nothing,
        },
    }
}

/// The files of a run directory.
const FILES: [(&str, &str); 4] = [
    ("run.json", "the plan of the run, and the machine that it ran on"),
    (
        "samples.jsonl",
        "every measurement, one JSON object for each line; values are in seconds, octets and counts",
    ),
    ("report.html, report.md, csv/", "the report; `report DIR` makes it again from the two files above"),
    ("*.pcap", "captured frames, with `--keep-pcap`"),
];
