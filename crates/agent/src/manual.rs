//! The manual page of the agent.

use std::iter;

use portreeve_usage::{Block, Command, Completion, Page, Section};

use crate::arguments::{COMMANDS, CommandDefinition, DEFAULT_CONFIG};
use crate::audit::FindingKind;

/// Returns the manual page.
pub fn page() -> Page {
    Page {
        synopsis: COMMANDS.iter().map(|command| format!("{} {}", command.name, command.synopsis)).collect(),
        description: vec![
            Block::text(
                "`portreeved` is an SNMP agent for the machine that it runs on. It accepts requests in sessions over SSH, \
                 TLS and DTLS, which authenticate the user by key or certificate. Over UDP and TCP, it accepts requests from \
                 users of SNMPv3's User-based Security Model (USM) and, in cleartext, with communities. The configuration file defines users and their access rights. Insecure \
                 options must be enabled explicitly in the configuration file.",
            ),
            Block::text(
                "The agent sends coldStart, warmStart, linkDown, linkUp and, if enabled, authenticationFailure to the targets \
                 in the [[notify]] sections of the file and in the tables of SNMP-TARGET-MIB. Informs are kept in the state \
                 directory until the target has acknowledged them.",
            ),
            Block::text(
                "Changes by SNMP SET are stored in the state directory before the agent confirms them, and \
                 survive restarts and reloads. Values from the configuration file are read-only over SNMP.",
            ),
        ],
        commands: COMMANDS.iter().map(describe).collect(),
        sections: vec![
            Section::new(
                "EXAMPLES",
                [
                    Block::text("Set up and start an agent:"),
                    Block::code(
                        "portreeved init /etc/portreeve\n\
                         portreeved check /etc/portreeve/portreeved.toml\n\
                         portreeved run",
                    ),
                    Block::text(
                        "Reload a changed file. A file that contains an error is rejected as a whole. The command returns when \
                         the new configuration is in effect, and lists the changes:",
                    ),
                    Block::code("portreeved reload"),
                    Block::text(
                        "Show the status of the running agent, and in a script the transaction that holds the lock:",
                    ),
                    Block::code("portreeved status\nportreeved status --json | jq '.\"transaction-lock\".holder'"),
                    Block::text(
                        "List access rights and weaknesses:",
                    ),
                    Block::code("portreeved audit"),
                    Block::text(
                        "Audit the agent every night, accept one known community, and print the audit only if it reports \
                         other weaknesses:",
                    ),
                    Block::code("audit=$(portreeved audit --allow community-read:community-1) ||\n    echo \"$audit\""),
                    Block::text("Start an agent for experiments, without root:"),
                    Block::code(
                        "portreeved demo --dir /tmp/demo &     # prints `ready`\n\
                         set -a; . /tmp/demo/credentials.env; set +a\n\
                         portreeve walk -u $PORTREEVE_USER -l authPriv -a $PORTREEVE_AUTH \\\n    \
                         -x $PORTREEVE_PRIV $PORTREEVE_UDP system",
                    ),
                    Block::text(
                        "The same over SSH, with the key that the demo generated in DIR (your own keys work too):",
                    ),
                    Block::code("portreeve walk ssh://$PORTREEVE_SSH_USER@$PORTREEVE_SSH system"),
                ],
            ),
            Section::new(
                "FINDINGS",
                iter::once(Block::text(
                    "`audit` identifies each finding by its kind and subject, for example `write-all:ops`, in \
                     text and JSON output. Findings are critical (an attacker can change values or impersonate a user), weak (an \
                     eavesdropper or attacker can read more than intended, or a key or certificate needs attention), or notes. \
                     Critical and weak findings make the command fail. `--allow` accepts the identifier or the kind alone. \
                     Accepted findings are still printed, but do not make the command fail. The kinds are:",
                ))
                .chain(FindingKind::names().map(|(word, means)| Block::item(word, means))),
            ),
            Section::new(
                "STATUS",
                [
                    Block::text(
                        "`status` prints the version, the engine ID and engineBoots, the configuration file, the time of its \
                         last load in UTC and its settings that need a restart, the number of changes since the start \
                         (generation), the listeners with their sessions, the transaction lock, the queue of SETs, the NETCONF sessions with their locks, the targets of notifications, the state \
                         files with their sizes in bytes, and the counters of drops, rejections and closed sessions since the \
                         start. A session is active if a message in it was accepted. The names of the counters are those of \
                         the log.",
                    ),
                    Block::text(
                        "A target of notifications is shown after the first notification for it: whether a connection is open, \
                         the numbers of traps sent and of informs acknowledged, the informs in the queue with their octets, \
                         the number of discarded notifications, and the last error with its time. `--json` shows why they were \
                         discarded.",
                    ),
                    Block::text(
                        "Each change, by SET or by a reload, holds the transaction lock while it takes effect. The others \
                         wait in order of arrival. The agent answers `status` even if a change or a reload does not end. \
                         `status` needs only the state directory from FILE, which may contain errors in other sections.",
                    ),
                    Block::text("With `--json`, existing keys are stable; new keys may be added. Durations are in seconds."),
                ],
            ),
            Section::new(
                "NOTIFICATIONS OF LOCAL PROGRAMS",
                [Block::text(
                    "Programs on this machine submit notifications with `portreeve inform --via-daemon` or `portreeve trap \
                     --via-daemon`. The agent sends them to the targets in `[[notify]]` and in its tables, like its own \
                     notifications: filters and notify views apply, and the `kind` of a target decides between trap and inform. The \
                     command returns when the informs are in the queues on disk. `status` shows these queues, and why a notification \
                     was withheld from a target.",
                )],
            ),
            Section::new(
                "SIGNALS",
                [
                    Block::item(
                        "SIGHUP",
                        "reloads the configuration like `portreeved reload`, but the outcome is only in the log. If the new \
                         configuration contains an error, the agent continues with the old one.",
                    ),
                    Block::item(
                        "SIGTERM",
                        "stops the agent after it has executed the changes that wait. If a disk does not respond, the \
                         agent stops with an error after 30 to 40 seconds.",
                    ),
                ],
            ),
            Section::exit_status(&[
                (0, "stopped by a signal, or the command succeeded"),
                (
                    1,
                    "an invalid file or a failed operation; for `audit`, a weakness that was not accepted",
                ),
                (2, "invalid command line"),
                (
                    3,
                    "`reload`: the new configuration is in effect, except for the listed settings, which need a restart of the \
                     agent; `status`: no agent is running",
                ),
                (4, "`status`: the agent does not respond"),
            ]),
            Section::new(
                "FILES",
                [
                    Block::item(DEFAULT_CONFIG, "the configuration; see portreeved.toml(5)"),
                    Block::item(
                        "/var/lib/portreeve",
                        "the state directory, unless `state-dir` is set in the configuration",
                    ),
                    Block::item(
                        "/var/lib/portreeve/*.format1",
                        "copies of state files from before a conversion to a newer format; they contain keys, so delete them when \
                         you no longer need to return to the older version",
                    ),
                    Block::item(
                        "/var/lib/portreeve/control.sock",
                        "the socket in the state directory over which `reload`, `status`, `kill-session` and the option \
                         `--via-daemon` of portreeve-trap(1) and portreeve-inform(1) reach the agent; only root and the agent's \
                         account can use it",
                    ),
                ],
            ),
        ],
        see_also: vec!["portreeved.toml(5)".into(), "portreeve(1)".into(), "portreeve-inform(1)".into()],
        ..Page::new("portreeved", 8, "an SNMP agent")
    }
}

fn describe(command: &CommandDefinition) -> Command {
    let operands = match command.synopsis {
        "FILE" => Completion::Files,
        "DIR" => Completion::Directories,
        _ => Completion::Nothing,
    };
    Command {
        name: command.name,
        synopsis: command.synopsis,
        help: command.help,
        options: command.options.iter().map(|option| option.flag.into()).collect(),
        operands,
    }
}
