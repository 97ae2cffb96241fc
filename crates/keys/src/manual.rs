//! What the manual says about keys.

use portreeve_usage::{Block, Command, Completion, OptionGroup, Page, Section};

use crate::arguments::{COMMANDS, CommandDefinition, DESCRIPTION, FOLDER_NOTE, HELP_FLAGS, Operands};

/// The page of the program.
pub fn page() -> Page {
    let mut options: Vec<_> = Vec::new();
    for option in COMMANDS.iter().flat_map(|command| command.options) {
        if !options.contains(&option.flag) {
            options.push(option.flag);
        }
    }
    Page {
        synopsis: COMMANDS.iter().map(|command| format!("{} {}", command.name, command.synopsis)).collect(),
        description: vec![
            Block::text(DESCRIPTION.replace('\n', " ")),
            Block::text(FOLDER_NOTE),
            Block::text(
                "What is made is told on standard error, the lines for the other ends stand on standard output; `lines` \
                 prints them again. A host's folder has all that its agent needs, and is copied there as it is; a user's \
                 folder likewise. Private keys have mode 600 and are never written over.",
            ),
            Block::text(
                "Certificates of X.509 are ECDSA on P-256, SSH keys Ed25519; serial numbers are random. `sign` gives \
                 somebody else's key the names that stand on the command line, whatever a request asks for. \
                 Certificates of SSH let nobody have a terminal or forward ports.",
            ),
            Block::text(
                "An authority's key can be kept under a pass phrase, which is typed, or read from the file that \
                 `--passphrase-file` names. `revoke` of a host or user puts its certificate onto the revocation list and \
                 its SSH key onto the list of revoked keys, and both lists into the folders of the hosts. That of SSH is \
                 OpenSSH's own kind, which sshd's `RevokedKeys` reads too.",
            ),
            Block::text(
                "`renew` makes certificates for keys that have one: names, use and restrictions stay, the number and the \
                 dates do not. The new one takes the old one's place in one step, so that an agent that reads its files \
                 again finds the one or the other. Without a name it renews what ends within 30 days.",
            ),
        ],
        commands: COMMANDS.iter().map(describe).collect(),
        options: vec![OptionGroup {
            heading: "",
            entries: options.into_iter().chain(HELP_FLAGS).map(Into::into).collect(),
        }],
        sections: vec![
            Section::new(
                "EXAMPLES",
                [
                    Block::text("Authorities, an agent and a user, from nothing:"),
                    Block::code(
                        "portreeve keys ca\nportreeve keys host gw.example --san 192.0.2.1\nportreeve keys user ops",
                    ),
                    Block::text("What goes into the agent's file:"),
                    Block::code(
                        "cd ~/.config/portreeve/keys\n\
                         scp -rp hosts/gw.example/. root@gw.example:/etc/portreeve/keys\n\
                         (portreeve keys lines gw.example --only agent\n \
                         portreeve keys lines ops --only agent) |\n    \
                         ssh root@gw.example 'cat >> /etc/portreeve/portreeved.toml'",
                    ),
                    Block::text("A certificate for a key that somebody has:"),
                    Block::code(
                        "portreeve keys sign id_ed25519.pub --user ops \\\n    --source-address 192.0.2.0/24",
                    ),
                    Block::text("Every week, so that nothing expires:"),
                    Block::code("portreeve keys renew --within 30"),
                    Block::text("What a file is, and who has what:"),
                    Block::code("portreeve keys show /etc/ssh/ssh_host_ed25519_key.pub\nportreeve keys list"),
                ],
            ),
            Section::exit_status(&[
                (0, "it is done"),
                (1, "it cannot be done, for a reason that is told"),
                (2, "the command line means nothing"),
            ]),
            Section::new("FILES", FILES.map(|(name, what)| Block::item(name, what))),
        ],
        operands: Completion::Files,
        see_also: ["portreeved.toml(5)", "portreeve(1)", "ssh-keygen(1)", "openssl(1)"]
            .map(str::to_owned)
            .to_vec(),
        ..Page::new("portreeve keys", 1, "make, sign, revoke and show certificates and keys")
    }
}

fn describe(command: &'static CommandDefinition) -> Command {
    Command {
        name: command.name,
        synopsis: command.synopsis,
        help: command.help,
        options: command.options.iter().map(|option| option.flag.into()).collect(),
        operands: if command.operands == Operands::None { Completion::Nothing } else { Completion::Files },
    }
}

/// What lies in the folder.
const FILES: [(&str, &str); 5] = [
    ("ca.pem, ca.key, ca.crl", "the authority of X.509: its certificate, its key, and its revocation list"),
    ("ssh_ca, ssh_ca.pub, ssh_revoked", "the authority of SSH: its key, and the list of what counts no more"),
    (
        "hosts/HOST/",
        "`cert.pem`, `key.pem` and `ssh_host_ed25519_key` of a host, and its copies of the authorities and their lists",
    ),
    ("users/USER/", "`cert.pem`, `key.pem`, `ca.pem` and `id_ed25519` of a user"),
    (
        "~/.config/portreeve/tls/",
        "where the command looks for `cert.pem`, `key.pem` and `ca.pem`: a user's folder may be copied there",
    ),
];
