//! What the manual says about the relay.

use portreeve_channel::DEFAULT_RELAY_SOCKET;
use portreeve_usage::{Block, Completion, OptionGroup, Page, Section};

use crate::arguments::{OPTIONS, SOCKET_HELP, SYNOPSIS};

/// The page of the program.
pub fn page() -> Page {
    let entries = OPTIONS.iter().map(|flag| (*flag).into()).collect();
    Page {
        synopsis: vec![SYNOPSIS.to_owned()],
        description: vec![
            Block::text(
                "Where port 22 is to be the only port of SSH, portreeved(8) can be asked through sshd(8). sshd logs the \
                 user in and runs `portreeve-snmp` as that user; it brings the session to a Unix socket of the agent and \
                 looks at nothing that passes. The kernel tells the agent whose process it is, and the name of that \
                 account is the securityName. The program says nothing of the user, so it needs no trust.",
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
                        "In portreeved.toml(5), for members of the group snmp, and with rights for one of them:",
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
                (0, "the session is over"),
                (
                    1,
                    "there is no agent, or it does not let this user in; the log says which, since sshd drops what \
                     subsystems say on stderr",
                ),
                (2, "the command line means nothing"),
            ]),
            Section::new(
                "FILES",
                [Block::item(DEFAULT_RELAY_SOCKET, "the agent's socket, unless both are told of another")],
            ),
        ],
        see_also: vec!["portreeved.toml(5)".into(), "portreeve(1)".into(), "sshd_config(5)".into()],
        ..Page::new("portreeve-snmp", 8, "bring sessions from sshd to an SNMP agent")
    }
}
