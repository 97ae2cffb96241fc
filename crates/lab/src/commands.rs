//! The commands, each defined once: help and the manual derive from these definitions.

use std::path::Path;

use portreeve_lab_net::Cleaner;
use portreeve_usage::{Flag, format_table};

use crate::{
    analyse, bare_exchange, capture, client, collect_children, echo,
    error::{LabError, Result},
    experiments::{self, bench, notifications},
    harness, interrupt, less_protection, load, on_core, plan, polling, samples, stopwatch,
};

/// A command and its options.
pub(crate) struct CommandDefinition {
    pub(crate) name: &'static str,
    /// The arguments after the command's name, as shown in the usage line.
    pub(crate) synopsis: &'static str,
    pub(crate) help: &'static str,
    pub(crate) options: &'static [Flag],
    pub(crate) run: fn(&[String]) -> Result<()>,
}

impl CommandDefinition {
    /// Creates the definition of a command without options.
    const fn new(
        name: &'static str,
        synopsis: &'static str,
        help: &'static str,
        run: fn(&[String]) -> Result<()>,
    ) -> Self {
        Self { name, synopsis, help, options: &[], run }
    }

    /// Returns true if the arguments request help. A command without options may pass later
    /// arguments to another program, so only its first argument counts.
    fn is_help_requested(&self, arguments: &[String]) -> bool {
        let count = if self.options.is_empty() { 1 } else { arguments.len() };
        arguments.iter().take(count).any(|argument| matches!(argument.as_str(), "-h" | "--help"))
    }

    /// Returns the usage line of the command.
    fn usage(&self) -> String {
        format!("Usage: portreeve lab {} {}", self.name, self.synopsis).trim_end().to_owned()
    }

    /// Returns the text of `--help`.
    fn help_text(&self) -> String {
        let options = self.options.iter().map(|flag| (flag.syntax(), flag.help));
        format!("{}\n\n{}\n\n{}", self.usage(), self.help, format_table(options.chain([help_option()])))
    }
}

/// The commands that the help lists, for users.
pub(crate) static COMMANDS: &[CommandDefinition] = &[
    CommandDefinition::new(
        "demo",
        "",
        "start an agent on loopback, walk its interfaces over every transport, compare the costs, and edit it by NETCONF",
        |arguments| if arguments.is_empty() { portreeve_lab_demo::run() } else { Err(usage_error("demo")) },
    ),
    CommandDefinition {
        name: "bench",
        synopsis: "[OPTION]...",
        help: "compare Portreeve's programs with other programs and with an upper bound, in network namespaces (needs root)",
        options: bench::OPTIONS,
        run: |arguments| interrupt::clean_up_when_interrupted().and_then(|()| bench::run(arguments)),
    },
    CommandDefinition::new(
        "list",
        "",
        "list the experiments of `run`, with the tables and figures that they measure again",
        |arguments| {
            if !arguments.is_empty() {
                return Err(usage_error("list"));
            }
            harness::list(experiments::ALL);
            Ok(())
        },
    ),
    CommandDefinition {
        name: "run",
        synopsis: "EXPERIMENT|PAPER|all... [OPTION]...",
        help: "measure experiments in interleaved rounds, and write the samples and a report to a directory",
        options: harness::RUN_OPTIONS,
        run: |arguments| harness::run(arguments, experiments::ALL),
    },
    CommandDefinition::new("report", "DIR", "make the report of a run again from its samples", |arguments| {
        let [directory] = arguments else { return Err(usage_error("report")) };
        harness::write_report(Path::new(directory), experiments::ALL)
    }),
    CommandDefinition::new(
        "compare",
        "DIR DIR",
        "compare the samples of two runs, value by value, and list the values that have changed",
        |arguments| {
            let [before, after] = arguments else { return Err(usage_error("compare")) };
            harness::compare(Path::new(before), Path::new(after))
        },
    ),
    CommandDefinition {
        name: "plan",
        synopsis: "[OPTION]...",
        help: "predict the time, octets, CPU time and memory of every option for a fleet, and recommend one",
        options: &plan::OPTIONS,
        run: plan::run,
    },
    CommandDefinition::new(
        "clean",
        "",
        "remove what earlier runs have left; they leave nothing unless their clean-up process was killed as well",
        |arguments| if arguments.is_empty() { harness::clean() } else { Err(usage_error("clean")) },
    ),
    CommandDefinition {
        name: "analyse",
        synopsis: "PCAP [OPTION]...",
        help: "count frames, octets with all fragments, and exchanges of SNMP in each conversation of a capture file",
        options: analyse::OPTIONS,
        run: analyse::run,
    },
    CommandDefinition::new(
        "samples",
        "DIR",
        "write one message of every kind to DIR, as files for a dissector",
        samples::write,
    ),
];

/// Parts of experiments that run as separate processes. The help does not list them.
static INTERNAL_COMMANDS: &[CommandDefinition] = &[
    CommandDefinition::new(
        "echo",
        "ADDRESS REPLY_OCTETS [batched]",
        "answer each datagram with REPLY_OCTETS octets without parsing it",
        echo::serve,
    ),
    CommandDefinition::new(
        "load",
        "--to ADDRESS --request FILE [--window N] [--seconds S | --count N | --reply FILE] [--ports N]",
        "send the request in FILE repeatedly and count the replies",
        load::run,
    ),
    CommandDefinition::new(
        "capture",
        "--to ADDRESS --out FILE -- PROGRAM [ARGUMENT]...",
        "run a client and write its last request to FILE; in its arguments, @ADDRESS@ stands for the address to query",
        capture::run,
    ),
    CommandDefinition::new(
        "stopwatch",
        "ROUNDS FILE",
        "measure the run time of the commands in FILE, one per line with tabs between words",
        stopwatch::run,
    ),
    CommandDefinition::new(
        "poll-rounds",
        "FILE ROUNDS",
        "poll every target in FILE, a poll.toml, ROUNDS times without waiting for intervals",
        polling::run,
    ),
    CommandDefinition::new(
        "agent",
        "run --first-start --config FILE",
        "run portreeved in this process, with the protection of TLS that the environment names",
        less_protection::run_agent,
    ),
    CommandDefinition::new(
        "session-client",
        "FILE",
        "open sessions with the credentials in FILE, controlled by commands on standard input",
        client::run,
    ),
    CommandDefinition::new(
        "trap-load",
        "--to ADDRESS --request FILE --window N --seconds S --file FILE --octets N",
        "send the trap in FILE repeatedly, as fast as it is written to the receiver's file, N octets each",
        notifications::trap_load::run,
    ),
    CommandDefinition::new(
        "inform-client",
        "FILE ROUNDS",
        "send informs over every transport with the credentials in FILE, over new and open sessions",
        notifications::inform_client::run,
    ),
    CommandDefinition::new(
        "notification-client",
        "FILE STACK KIND SESSIONS COUNT PAUSE",
        "send traps or informs in SESSIONS sessions, COUNT in each, with pauses, to the addresses in FILE",
        notifications::notification_client::run,
    ),
    CommandDefinition::new(
        "bare-exchange",
        "FILE ROUNDS",
        "exchange the datagrams of poll-rounds without parsing responses",
        bare_exchange::run,
    ),
    CommandDefinition::new(
        Cleaner::ARGUMENT,
        "",
        "remove what a run has created, as soon as standard input ends",
        |_| Ok(portreeve_lab_net::run_clean_up_process()?),
    ),
    CommandDefinition::new(
        "on-core",
        "CORE PROGRAM [ARGUMENT]...",
        "run PROGRAM pinned to one core, with real-time priority if permitted",
        on_core::exec,
    ),
    CommandDefinition::new(
        "collect-children",
        "PROGRAM [ARGUMENT]...",
        "run PROGRAM as the parent of its orphaned descendants, so that their CPU time is counted",
        collect_children::exec,
    ),
];

/// Runs a command line: the command's name and its arguments.
///
/// # Errors
/// If the command is unknown or fails.
pub(crate) fn execute(name: &str, arguments: &[String]) -> Result<()> {
    match name {
        "" | "help" | "-h" | "--help" => drop(portreeve_usage::print(std::io::stdout(), help())),
        "-V" | "--version" => {
            let _ = portreeve_usage::print(
                std::io::stdout(),
                concat!("portreeve-lab ", env!("CARGO_PKG_VERSION"), "\n"),
            );
        }
        _ => {
            let command = find(name)
                .ok_or_else(|| format!("unknown command '{name}'\nhint: see `portreeve lab --help`"))?;
            if !command.is_help_requested(arguments) {
                return (command.run)(arguments);
            }
            let _ = portreeve_usage::print(std::io::stdout(), command.help_text());
        }
    }
    Ok(())
}

/// Returns the error for wrong arguments of a command.
pub(crate) fn usage_error(name: &str) -> LabError {
    LabError::from(find(name).map_or_else(String::new, |command| {
        format!("invalid arguments of `{name}`\nhint: {} {}", command.name, command.synopsis)
    }))
}

fn find(name: &str) -> Option<&'static CommandDefinition> {
    COMMANDS.iter().chain(INTERNAL_COMMANDS).find(|command| command.name == name)
}

/// Returns the list of commands.
fn help() -> String {
    let rows = COMMANDS.iter().flat_map(|command| {
        let options = command.options.iter().map(|flag| (format!("    {}", flag.syntax()), flag.help));
        std::iter::once((format!("{} {}", command.name, command.synopsis), command.help)).chain(options)
    });
    format!("Usage: portreeve lab COMMAND\n\n{}", format_table(rows.chain([help_option()])))
}

/// Returns the row for `--help` in the table of options.
fn help_option() -> (String, &'static str) {
    ("-h, --help".to_owned(), "print this help")
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, INTERNAL_COMMANDS, execute, help};

    #[test]
    fn every_lab_command_prints_its_usage_with_help_option() {
        for command in COMMANDS.iter().chain(INTERNAL_COMMANDS) {
            for option in ["-h", "--help"] {
                assert!(command.is_help_requested(&[option.to_owned()]), "{} {option}", command.name);
                assert!(execute(command.name, &[option.to_owned()]).is_ok(), "{} {option}", command.name);
            }
            let text = command.help_text();
            assert!(text.starts_with(&format!("Usage: portreeve lab {}", command.name)), "{text}");
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for option in command.options {
                assert!(words.contains(&option.syntax()) && words.contains(option.help), "{text}");
            }
        }
    }

    #[test]
    fn help_lists_every_command_that_is_not_internal() {
        let text = help();
        assert!(COMMANDS.iter().all(|command| text.contains(&format!("  {}", command.name))), "{text}");
        assert!(execute("--help", &[]).is_ok() && execute("unknown", &[]).is_err());
    }

    #[test]
    fn help_option_after_another_programs_name_belongs_to_that_program() {
        let on_core = INTERNAL_COMMANDS.iter().find(|command| command.name == "on-core").unwrap();
        assert!(!on_core.is_help_requested(&["0", "ls", "--help"].map(String::from)));
        let bench = COMMANDS.iter().find(|command| command.name == "bench").unwrap();
        assert!(bench.is_help_requested(&["--only", "codec", "--help"].map(String::from)));
    }
}
