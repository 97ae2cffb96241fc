//! What the manual says about the agent.

use std::iter;

use portreeve_usage::{Block, Command, Completes, Page, Section};

use crate::arguments::{COMMANDS, CommandDefinition, DEFAULT_CONFIG};
use crate::audit::Kind;

/// The page of the program.
pub fn page() -> Page {
    Page {
        synopsis: COMMANDS.iter().map(|command| format!("{} {}", command.name, command.synopsis)).collect(),
        description: vec![
            Block::text(
                "`portreeved` answers SNMP requests about the machine it runs on, and about itself: in sessions over SSH, \
                 TLS and DTLS, where a key or certificate says who asks, and over UDP and TCP as SNMPv3's users, or, in \
                 clear, as communities do. Who may ask, and for what, stands in its configuration file. Choices that \
                 protect little or nothing work only where that file allows them by name.",
            ),
            Block::text(
                "What SNMP SET changes is durable before it is confirmed, is kept in the state directory, and \
                 survives restarts and reloads. What the configuration file gives is read-only over SNMP.",
            ),
        ],
        commands: COMMANDS.iter().map(describe).collect(),
        sections: vec![
            Section::new(
                "EXAMPLES",
                [
                    Block::text("A real agent, from nothing:"),
                    Block::code(
                        "portreeved init /etc/portreeve\n\
                         portreeved check /etc/portreeve/portreeved.toml\n\
                         portreeved run",
                    ),
                    Block::text("After a change of the file, which is refused as a whole where it is wrong:"),
                    Block::code("portreeved reload"),
                    Block::text(
                        "Who may do what, and what is weak about it, before somebody else finds out:",
                    ),
                    Block::code("portreeved audit"),
                    Block::text(
                        "The same every night, where it is known that one community reads, and where anything else is to \
                         be told:",
                    ),
                    Block::code("portreeved audit --allow community-read:community-1 > /tmp/audit ||\n    cat /tmp/audit"),
                    Block::text("An agent to try things with, as anybody:"),
                    Block::code(
                        "portreeved demo --dir /tmp/demo &     # prints `ready`\n\
                         set -a; . /tmp/demo/credentials.env; set +a\n\
                         portreeve walk -u $PORTREEVE_USER -l authPriv -a $PORTREEVE_AUTH \\\n    \
                         -x $PORTREEVE_PRIV $PORTREEVE_UDP system",
                    ),
                    Block::text("The same over SSH, with the key that the demo has made and listed:"),
                    Block::code("portreeve walk ssh://$PORTREEVE_SSH_USER@$PORTREEVE_SSH system"),
                ],
            ),
            Section::new(
                "FINDINGS",
                iter::once(Block::text(
                    "`audit` calls each finding by its kind and whom or what it is about, such as `write-all:ops`, in \
                     text and JSON alike. `--allow` takes that, or the kind alone. What was accepted is shown, and is no \
                     reason to fail; notes never are. The kinds:",
                ))
                .chain(Kind::words().map(|(word, means)| Block::item(word, means))),
            ),
            Section::new(
                "SIGNALS",
                [
                    Block::item(
                        "SIGHUP",
                        "reads the configuration again. A wrong one is told and changes nothing.",
                    ),
                    Block::item("SIGTERM", "ends."),
                ],
            ),
            Section::exit_status(&[
                (0, "it was told to end, or the command is done"),
                (
                    1,
                    "what the command is about is wrong, or the machine refuses something; `audit` has found something weak that was not accepted",
                ),
                (2, "the command line means nothing"),
            ]),
            Section::new(
                "FILES",
                [
                    Block::item(DEFAULT_CONFIG, "the configuration; see portreeved.toml(5)"),
                    Block::item(
                        "/var/lib/portreeve",
                        "the state directory, unless the configuration names another",
                    ),
                ],
            ),
        ],
        see_also: vec!["portreeved.toml(5)".into(), "portreeve(1)".into()],
        ..Page::new("portreeved", 8, "an SNMP agent")
    }
}

fn describe(command: &CommandDefinition) -> Command {
    let operands = match command.synopsis {
        "FILE" => Completes::Files,
        "DIR" => Completes::Directories,
        _ => Completes::Nothing,
    };
    Command {
        name: command.name,
        synopsis: command.synopsis,
        does: command.does,
        options: command.options.iter().map(|option| option.flag.into()).collect(),
        operands,
    }
}
