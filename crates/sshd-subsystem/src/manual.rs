//! The manual page of `portreeve-snmp`.

use portreeve_channel::DEFAULT_RELAY_SOCKET;
use portreeve_usage::{Block, Completion, OptionGroup, Page, Section};

use crate::arguments::{OPTIONS, SOCKET_HELP, SYNOPSIS};

/// Returns the manual page of the program.
pub fn page() -> Page {
    let entries = OPTIONS.iter().map(|flag| (*flag).into()).collect();
    Page {
        synopsis: vec![SYNOPSIS.to_owned()],
        description: vec![
            Block::text(
                "If only port 22 is open for SSH, clients can reach portreeved(8) through sshd(8). sshd \
                 authenticates the user and runs `portreeve-snmp` as that user. The program relays the \
                 session to a Unix socket of the agent and does not inspect the data. The kernel reports the \
                 user of the process to the agent, and the name of that account is the securityName. The \
                 program itself sends no user name, so the agent need not trust it.",
            ),
            Block::text(SOCKET_HELP),
        ],
        options: vec![OptionGroup { heading: "", entries }],
        operands: Completion::Files,
        sections: vec![
            Section::new(
                "EXAMPLES",
                [
                    Block::text("In sshd_config(5):"),
                    Block::code("Subsystem snmp /usr/local/libexec/portreeve/portreeve-snmp"),
                    Block::text(
                        "In portreeved.toml(5), to accept members of the group snmp and give one of them access:",
                    ),
                    Block::code(
                        "[[listen]]\ntransport = \"behind-sshd\"\ngroup = \"snmp\"\n\n\
                         [[session-user]]\nname = \"ops\"\naccess = \"read\"",
                    ),
                    Block::text("Then:"),
                    Block::code("portreeve table ssh://ops@agent.example:22 ifTable"),
                ],
            ),
            Section::exit_status(&[
                (0, "the session ended normally"),
                (
                    1,
                    "no agent is running, or the agent rejects this user; see the system log, because sshd \
                     discards the stderr of subsystems",
                ),
                (2, "invalid command line"),
            ]),
            Section::new("FILES", [Block::item(DEFAULT_RELAY_SOCKET, "the default socket of the agent")]),
        ],
        see_also: vec!["portreeved.toml(5)".into(), "portreeve(1)".into(), "sshd_config(5)".into()],
        ..Page::new("portreeve-snmp", 8, "relay sessions from sshd to an SNMP agent")
    }
}
