//! The commands that people give, each defined once: help and the manual derive from here.

use portreeve_usage::{Flag, table};

use crate::{
    experiments::{bench, demo},
    failure::Result,
    interrupt, samples,
};

/// A command and what stands behind it.
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    /// What follows the name.
    pub(crate) synopsis: &'static str,
    pub(crate) does: &'static str,
    pub(crate) options: &'static [Flag],
    pub(crate) run: fn(&[String]) -> Result<()>,
}

/// Every command.
pub(crate) static COMMANDS: &[Definition] = &[
    Definition {
        name: "demo",
        synopsis: "",
        does: "start an agent on loopback and walk its interfaces over every transport, side by side",
        options: &[],
        run: |arguments| interrupt::clean_up_when_interrupted().and_then(|()| demo::run(arguments)),
    },
    Definition {
        name: "bench",
        synopsis: "[OPTION]...",
        does: "our programs beside others and what bounds them all, in network namespaces (needs root)",
        options: bench::OPTIONS,
        run: |arguments| interrupt::clean_up_when_interrupted().and_then(|()| bench::run(arguments)),
    },
    Definition {
        name: "samples",
        synopsis: "DIR",
        does: "one message of every kind, as files for a dissector",
        options: &[],
        run: samples::write,
    },
];

/// What `help` shows.
pub(crate) fn help() -> String {
    let rows = COMMANDS.iter().flat_map(|command| {
        let options = command.options.iter().map(|flag| (format!("    {}", flag.written()), flag.does));
        std::iter::once((format!("{} {}", command.name, command.synopsis), command.does)).chain(options)
    });
    format!("Usage: portreeve lab COMMAND\n\n{}", table(rows))
}
