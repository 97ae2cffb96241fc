//! The manual page of `portreeve keys`.

use portreeve_usage::{Block, Command, Completion, OptionGroup, Page, Section};

use crate::arguments::{COMMANDS, CommandDefinition, DESCRIPTION, FOLDER_NOTE, HELP_FLAGS, Operands};

/// Returns the manual page.
pub fn page() -> Page {
    Page {
        synopsis: COMMANDS.iter().map(|command| format!("{} {}", command.name, command.synopsis)).collect(),
        description: vec![
            Block::text(DESCRIPTION.replace('\n', " ")),
            Block::text(FOLDER_NOTE.replace('\n', " ")),
            Block::text(
                "Created files are listed on standard error, and configuration lines are printed to standard output: first \
                 those for portreeved.toml, then those for known_hosts and authorized_keys, and last the commands of a user. A \
                 comment before each group names its file. `portreeve keys lines` prints the lines again, and `--only` selects \
                 one group.",
            ),
            Block::text(
                "`hosts/HOST` contains all keys and certificates that the agent on HOST needs; copy it to HOST unchanged. \
                 `users/USER` contains the same for a user. Private keys have mode 600. Existing files are never overwritten: \
                 `--force` renames them and creates new ones.",
            ),
            Block::text(
                "X.509 certificates use ECDSA on P-256, and SSH keys use Ed25519; serial numbers are random. `sign` certifies \
                 an existing key with the names on the command line and ignores names in the request. \
                 SSH certificates do not permit a terminal or port forwarding.",
            ),
            Block::text(
                "An authority's key can be encrypted with a pass phrase, which is typed, or read from the file given by \
                 `--passphrase-file`. Revoking a host or user adds its certificate to the revocation list and \
                 its SSH key to the list of revoked keys, and copies both lists to the directories of the hosts. The list of \
                 revoked SSH keys has OpenSSH's format, so that sshd's `RevokedKeys` can use it too.",
            ),
            Block::text(
                "`renew` replaces certificates with new ones for the same keys. The new certificates retain names, usage and \
                 restrictions; serial numbers and dates change. Each file is replaced atomically: an agent that reloads its files \
                 reads either the old certificate or the new one. Without a name, `renew` replaces all certificates that expire \
                 within 30 days.",
            ),
        ],
        commands: COMMANDS.iter().map(describe).collect(),
        options: vec![OptionGroup { heading: "", entries: HELP_FLAGS.map(Into::into).to_vec() }],
        sections: vec![
            Section::new(
                "EXAMPLES",
                [
                    Block::text("Create authorities, an agent and a user:"),
                    Block::code(
                        "portreeve keys ca\nportreeve keys host gw.example --san 192.0.2.1\nportreeve keys user ops",
                    ),
                    Block::text("Copy the credentials and add the lines to the agent's file:"),
                    Block::code(
                        "cd ~/.config/portreeve/keys\n\
                         scp -rp hosts/gw.example/. root@gw.example:/etc/portreeve/keys\n\
                         (portreeve keys lines gw.example --only agent\n \
                         portreeve keys lines ops --only agent) |\n    \
                         ssh root@gw.example 'cat >> /etc/portreeve/portreeved.toml'",
                    ),
                    Block::text("Sign an existing key:"),
                    Block::code(
                        "portreeve keys sign id_ed25519.pub --user ops \\\n    --source-address 192.0.2.0/24",
                    ),
                    Block::text("Renew certificates, for example every week:"),
                    Block::code("portreeve keys renew --within 30"),
                    Block::text("Display a file, and list all credentials:"),
                    Block::code("portreeve keys show /etc/ssh/ssh_host_ed25519_key.pub\nportreeve keys list"),
                ],
            ),
            Section::exit_status(&[
                (0, "success"),
                (1, "failure; the reason is printed"),
                (2, "invalid command line"),
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

/// The files in the key directory, with their descriptions.
const FILES: [(&str, &str); 5] = [
    ("ca.pem, ca.key, ca.crl", "the X.509 authority: its certificate, key and revocation list"),
    ("ssh_ca, ssh_ca.pub, ssh_revoked", "the SSH authority: its key pair, and the list of revoked keys"),
    (
        "hosts/HOST/",
        "`cert.pem`, `key.pem` and `ssh_host_ed25519_key` of a host, with copies of the authorities and their lists",
    ),
    ("users/USER/", "`cert.pem`, `key.pem`, `ca.pem` and `id_ed25519` of a user"),
    (
        "~/.config/portreeve/tls/",
        "the directory in which portreeve(1) looks for `cert.pem`, `key.pem` and `ca.pem`; the contents of `users/USER` can be \
         copied to it",
    ),
];
