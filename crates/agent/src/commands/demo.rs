//! `portreeved demo`: an agent on loopback with a user for every algorithm, and everything that a
//! script needs to query it.
//!
//! | file | contents |
//! |---|---|
//! | `portreeved.toml` | the configuration; `portreeved run --config` starts the same agent again |
//! | `credentials.env` | addresses, communities and one authPriv user, for `sh` to source |
//! | `users.tsv` | every user: name, level, auth, auth pass, priv, priv pass |
//! | `ca.pem`, `agent.*`, `ops.*` | an authority; certificates and keys of the agent and of the user `ops` |
//! | `ssh_host_ed25519_key`, `known_hosts`, `id_ed25519`, `authorized_keys/` | the same for SSH |
//! | `state/` | engineBoots and everything that SET changes |
//!
//! The keys in `~/.ssh` of the account that starts the demo are accepted too, under the account's
//! name.

mod certificates;
mod ssh;

use std::{
    fmt::Write,
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use portreeve_channel::Fingerprint;
use portreeve_crypto::{AuthProtocol, PrivProtocol};
use ssh::DemoOwner;

use crate::{
    error::CommandError,
    files::{make_private_directory, write_private},
    process, random, schema_file,
};

/// Writes the files, replacing those of an earlier demo, and serves until SIGTERM.
pub(crate) fn demo(directory: &Path, base_port: u16) -> Result<(), CommandError> {
    make_private_directory(directory)?;
    let config = directory.join("portreeved.toml");
    if is_foreign_config(&config) {
        return Err(CommandError::new(format!(
            "{}: exists, but was not written by `portreeved demo`, so it is not replaced\nhint: choose another directory",
            config.display()
        )));
    }
    let written = ["portreeved.toml", "credentials.env", "users.tsv"].map(|name| directory.join(name));
    for file in written.iter().filter(|file| file.exists()) {
        fs::remove_file(file).map_err(|error| CommandError::new(format!("{}: {error}", file.display())))?;
    }
    let directory = &fs::canonicalize(directory)
        .map_err(|error| CommandError::new(format!("{}: {error}", directory.display())))?;
    let authority = certificates::make(directory)?;
    let owner = DemoOwner::find();
    ssh::make(directory, certificates::USER_NAME, owner.as_ref(), ssh_address(base_port))?;
    let demo = Demo::new(base_port, directory, authority, owner);
    write_private(&config, &demo.configuration())?;
    write_private(&directory.join("credentials.env"), &demo.credentials())?;
    write_private(&directory.join("users.tsv"), &demo.users_table())?;
    demo.print_example_commands();
    process::serve(&config, false)
}

/// The addresses and users of the demo.
struct Demo {
    address: String,
    /// The address of the TLS and DTLS listeners.
    tls_address: String,
    ssh_address: String,
    ssh_port: u16,
    directory: PathBuf,
    authority: Fingerprint,
    owner: Option<DemoOwner>,
    /// True if the modules for NETCONF are installed.
    has_netconf: bool,
    read_community: String,
    write_community: String,
    users: Vec<DemoUser>,
}

struct DemoUser {
    name: String,
    auth: Option<(AuthProtocol, String)>,
    privacy: Option<(PrivProtocol, String)>,
}

impl Demo {
    fn new(port: u16, directory: &Path, authority: Fingerprint, owner: Option<DemoOwner>) -> Self {
        let mut users = vec![
            DemoUser::new("admin", Some(AuthProtocol::HmacSha256_192), Some(PrivProtocol::Aes128)),
            DemoUser::new("guest", None, None),
        ];
        for auth in AuthProtocol::ALL {
            users.push(DemoUser::new(&lower(auth.name()), Some(auth), None));
            for privacy in PrivProtocol::ALL {
                let name = format!("{}-{}", lower(auth.name()), lower(privacy.name()));
                users.push(DemoUser::new(&name, Some(auth), Some(privacy)));
            }
        }
        Self {
            address: format!("127.0.0.1:{port}"),
            tls_address: format!("127.0.0.1:{}", port.saturating_add(1)),
            ssh_address: ssh_address(port).to_string(),
            ssh_port: ssh_address(port).port(),
            directory: directory.to_owned(),
            authority,
            owner,
            has_netconf: schema_file::is_installed(),
            read_community: random::pass_phrase(COMMUNITY_LEN),
            write_community: random::pass_phrase(COMMUNITY_LEN),
            users,
        }
    }

    /// Returns the configuration. It allows every weak choice, because the demo has users for all
    /// of them.
    fn configuration(&self) -> String {
        let mut text = String::from(DEMO_MARKER);
        text.push_str(
            "\n# Not suitable for production: use `portreeved init DIR` there.\n\n\
             [agent]\nstate-dir = \"state\"\n\n\
             [weak]\nallow = [\"communities\", \"noAuthNoPriv\", \"MD5\", \"SHA\", \"DES\", \"3DES\"]\n\n",
        );
        for (transport, address) in [
            ("udp", &self.address),
            ("tcp", &self.address),
            ("tls", &self.tls_address),
            ("dtls", &self.tls_address),
            ("ssh", &self.ssh_address),
        ] {
            add(
                &mut text,
                format_args!("[[listen]]\ntransport = \"{transport}\"\naddress = \"{address}\"\n\n"),
            );
        }
        self.add_certificates(&mut text);
        if self.has_netconf {
            text.push_str("[netconf]\n\n");
        }
        add(&mut text, format_args!("[[context]]\nname = \"{CONTEXT}\"\n\n"));
        // The view of the read community must not contain the write community.
        let communities =
            [(&self.read_community, "read", "restricted"), (&self.write_community, "write", "all")];
        for (community, access, view) in communities {
            add(
                &mut text,
                format_args!(
                    "[[community]]\nname = \"{community}\"\nversions = [\"v1\", \"v2c\"]\n\
                     security-name = \"community-{access}\"\naccess = \"{access}\"\nview = \"{view}\"\n\n"
                ),
            );
        }
        for user in &self.users {
            add(
                &mut text,
                format_args!("[[user]]\nname = \"{}\"\nlevel = \"{}\"\n", user.name, user.level()),
            );
            if let Some((protocol, pass)) = &user.auth {
                add(&mut text, format_args!("auth = \"{protocol}\"\nauth-pass = \"{pass}\"\n"));
            }
            if let Some((protocol, pass)) = &user.privacy {
                add(&mut text, format_args!("priv = \"{protocol}\"\npriv-pass = \"{pass}\"\n"));
            }
            text.push_str("access = \"write\"\nview = \"all\"\ncontexts = [\"*\"]\n\n");
        }
        text
    }

    /// Adds the SSH and TLS options. The CommonName of a certificate of the demo's authority is the
    /// securityName.
    fn add_certificates(&self, text: &mut String) {
        use certificates::{AGENT, AGENT_KEY, CA, USER_NAME};
        use ssh::{AUTHORIZED_KEYS, HOST_KEY};
        add(
            text,
            format_args!(
                "[ssh]\nhost-keys = [\"{HOST_KEY}\"]\nauthorized-keys = [\"{AUTHORIZED_KEYS}/%u\"]\n\n\
                 [tls]\ncertificate = \"{AGENT}\"\nkey = \"{AGENT_KEY}\"\nauthorities = [\"{CA}\"]\n\n\
                 [[tls.name]]\nfingerprint = \"{}\"\nmap = \"common-name\"\n\n",
                self.authority
            ),
        );
        let owner = self.owner.as_ref().map(|owner| &*owner.name).filter(|name| *name != USER_NAME);
        for name in [USER_NAME].into_iter().chain(owner) {
            add(
                text,
                format_args!(
                    "[[session-user]]\nname = \"{name}\"\naccess = \"write\"\nview = \"all\"\ncontexts = [\"*\"]\n\n"
                ),
            );
        }
    }

    /// Prints an example command for each identity.
    fn print_example_commands(&self) {
        let (address, directory) = (&self.ssh_address, self.directory.display());
        if let Some(owner) = &self.owner {
            eprintln!("hint: with your own key, run: portreeve table ssh://{}@{address} ifTable", owner.name);
        }
        let user = certificates::USER_NAME;
        eprintln!(
            "hint: with the demo's key, run: set -a; . {directory}/credentials.env; set +a; portreeve table ssh://{user}@{address} ifTable"
        );
        if self.has_netconf {
            self.print_netconf_examples();
        }
    }

    /// Prints an example of a NETCONF client in Python, and one of the SSH command.
    fn print_netconf_examples(&self) {
        let (directory, user, port) = (self.directory.display(), certificates::USER_NAME, self.ssh_port);
        let (key, known_hosts) = (ssh::USER_KEY, ssh::KNOWN_HOSTS);
        eprintln!(
            "hint: over NETCONF, run: python3 -c 'from ncclient import manager; print(manager.connect(host=\"127.0.0.1\", \
             port={port}, username=\"{user}\", key_filename=\"{directory}/{key}\", hostkey_verify=False, \
             look_for_keys=False).get_config(\"running\"))'"
        );
        eprintln!(
            "hint: without a library, run: ssh -i {directory}/{key} -o UserKnownHostsFile={directory}/{known_hosts} \
             -p {port} -s {user}@127.0.0.1 netconf"
        );
    }

    fn credentials(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| {
            add(&mut text, format_args!("{name}='{}'\n", value.replace('\'', r"'\''")))
        };
        line("PORTREEVE_UDP", &self.address);
        line("PORTREEVE_TCP", &self.address);
        line("PORTREEVE_TLS", &self.tls_address);
        line("PORTREEVE_DTLS", &self.tls_address);
        line("PORTREEVE_SSH", &self.ssh_address);
        if self.has_netconf {
            line("PORTREEVE_NETCONF", &self.ssh_address);
        }
        line("PORTREEVE_SSH_USER", certificates::USER_NAME);
        for (name, file) in [
            ("PORTREEVE_SSH_KEY", ssh::USER_KEY),
            ("PORTREEVE_KNOWN_HOSTS", ssh::KNOWN_HOSTS),
            ("PORTREEVE_TLS_CERT", certificates::USER),
            ("PORTREEVE_TLS_KEY", certificates::USER_KEY),
            ("PORTREEVE_TLS_CA", certificates::CA),
        ] {
            line(name, &self.directory.join(file).display().to_string());
        }
        line("PORTREEVE_RO", &self.read_community);
        line("PORTREEVE_RW", &self.write_community);
        if let Some(admin) = self.users.first() {
            line("PORTREEVE_USER", &admin.name);
            if let Some((protocol, pass)) = &admin.auth {
                line("PORTREEVE_AUTH", protocol.name());
                line("PORTREEVE_AUTH_PASS", pass);
            }
            if let Some((protocol, pass)) = &admin.privacy {
                line("PORTREEVE_PRIV", protocol.name());
                line("PORTREEVE_PRIV_PASS", pass);
            }
        }
        text
    }

    fn users_table(&self) -> String {
        let mut text = String::new();
        for user in &self.users {
            let (auth, auth_pass) =
                user.auth.as_ref().map_or(("", ""), |(protocol, pass)| (protocol.name(), pass));
            let (privacy, priv_pass) =
                user.privacy.as_ref().map_or(("", ""), |(protocol, pass)| (protocol.name(), pass));
            add(
                &mut text,
                format_args!(
                    "{}\t{}\t{auth}\t{auth_pass}\t{privacy}\t{priv_pass}\n",
                    user.name,
                    user.level()
                ),
            );
        }
        text
    }
}

impl DemoUser {
    fn new(name: &str, auth: Option<AuthProtocol>, privacy: Option<PrivProtocol>) -> Self {
        Self {
            name: name.to_owned(),
            auth: auth.map(|protocol| (protocol, random::pass_phrase(PASS_PHRASE_LEN))),
            privacy: privacy.map(|protocol| (protocol, random::pass_phrase(PASS_PHRASE_LEN))),
        }
    }

    fn level(&self) -> &'static str {
        match (&self.auth, &self.privacy) {
            (None, _) => "noAuthNoPriv",
            (Some(_), None) => "authNoPriv",
            (Some(_), Some(_)) => "authPriv",
        }
    }
}

fn add(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("writing to a string does not fail");
}

fn lower(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// Returns the address of the SSH listener.
fn ssh_address(base_port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], base_port.saturating_add(2)))
}

/// Returns true if the configuration exists and was not written by a demo.
fn is_foreign_config(config: &Path) -> bool {
    config.exists() && !fs::read(config).is_ok_and(|text| text.starts_with(DEMO_MARKER.as_bytes()))
}

/// The first line of a demo's configuration, by which it is recognized.
const DEMO_MARKER: &str =
    "# The configuration of a demonstration agent on loopback, with every supported algorithm.";
/// A context in addition to the default one, which serves the same objects.
const CONTEXT: &str = "demo";
/// Length of a community in characters.
const COMMUNITY_LEN: usize = 12;
/// Length of a pass phrase in characters.
const PASS_PHRASE_LEN: usize = 16;
