//! `portreeved demo`: an agent on loopback with a user for every algorithm, and all a script needs to talk to it.
//!
//! | file | holds |
//! |---|---|
//! | `portreeved.toml` | the configuration; `portreeved run --config` starts the same agent again |
//! | `credentials.env` | addresses, communities and one strong user, for `sh` to source |
//! | `users.tsv` | every user: name, level, auth, auth pass, priv, priv pass |
//! | `ca.pem`, `agent.*`, `ops.*` | an authority, and certificates and keys of the agent and of the user `ops` |
//! | `ssh_host_ed25519_key`, `known_hosts`, `id_ed25519`, `authorized_keys/` | the same over SSH |
//! | `state/` | engineBoots and whatever SET changes |
//!
//! Whoever starts it may also ask with the keys in `~/.ssh`, under the account's name.

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
use ssh::Starter;

use crate::{
    failure::Failure,
    files::{make_private_directory, write_private},
    process, random,
};

/// Writes the files, in place of those of an earlier demo, and serves until SIGTERM.
pub(crate) fn demo(directory: &Path, base_port: u16) -> Result<(), Failure> {
    make_private_directory(directory)?;
    let config = directory.join("portreeved.toml");
    if is_somebody_elses(&config) {
        return Err(Failure::new(format!(
            "{}: is no demo's and stays as it is\nhint: choose another directory",
            config.display()
        )));
    }
    let written = ["portreeved.toml", "credentials.env", "users.tsv"].map(|name| directory.join(name));
    for file in written.iter().filter(|file| file.exists()) {
        fs::remove_file(file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    }
    let directory = &fs::canonicalize(directory)
        .map_err(|error| Failure::new(format!("{}: {error}", directory.display())))?;
    let authority = certificates::make(directory)?;
    let starter = Starter::find();
    ssh::make(directory, certificates::USER_NAME, starter.as_ref(), ssh_address(base_port))?;
    let demo = Demo::new(base_port, directory, authority, starter);
    write_private(&config, &demo.configuration())?;
    write_private(&directory.join("credentials.env"), &demo.credentials())?;
    write_private(&directory.join("users.tsv"), &demo.users_table())?;
    demo.tell_how_to_ask();
    process::serve(&config)
}

/// Who may do what, where.
struct Demo {
    address: String,
    /// Over TCP and over UDP.
    tls_address: String,
    ssh_address: String,
    directory: PathBuf,
    authority: Fingerprint,
    starter: Option<Starter>,
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
    fn new(port: u16, directory: &Path, authority: Fingerprint, starter: Option<Starter>) -> Self {
        let mut users = vec![
            DemoUser::new("admin", Some(AuthProtocol::HmacSha256_192), Some(PrivProtocol::Aes128)),
            DemoUser::new("nobody", None, None),
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
            directory: directory.to_owned(),
            authority,
            starter,
            read_community: random::pass_phrase(COMMUNITY),
            write_community: random::pass_phrase(COMMUNITY),
            users,
        }
    }

    /// A configuration that spells out every weak choice, because a demo shows them all.
    fn configuration(&self) -> String {
        let mut text = String::from(FIRST_LINE);
        text.push_str(
            "\n# Not a model for a real agent: `portreeved init DIR` writes one of those.\n\n\
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
        add(&mut text, format_args!("[[context]]\nname = \"{CONTEXT}\"\n\n"));
        for (community, access) in [(&self.read_community, "read"), (&self.write_community, "write")] {
            add(
                &mut text,
                format_args!(
                    "[[community]]\nname = \"{community}\"\nversions = [\"v1\", \"v2c\"]\n\
                     security-name = \"community-{access}\"\naccess = \"{access}\"\nview = \"all\"\n\n"
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

    /// Who comes with a certificate of the demo's authority is whom its CommonName says; SSH users are who they are.
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
        let starter = self.starter.as_ref().map(|starter| &*starter.name).filter(|name| *name != USER_NAME);
        for name in [USER_NAME].into_iter().chain(starter) {
            add(
                text,
                format_args!(
                    "[[session-user]]\nname = \"{name}\"\naccess = \"write\"\nview = \"all\"\ncontexts = [\"*\"]\n\n"
                ),
            );
        }
    }

    /// One line of command for each identity, beside which nothing is needed.
    fn tell_how_to_ask(&self) {
        let (address, directory) = (&self.ssh_address, self.directory.display());
        if let Some(starter) = &self.starter {
            eprintln!("hint: with your own key: portreeve table ssh://{}@{address} ifTable", starter.name);
        }
        let user = certificates::USER_NAME;
        eprintln!(
            "hint: with the demo's: set -a; . {directory}/credentials.env; set +a; portreeve table ssh://{user}@{address} ifTable"
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
            auth: auth.map(|protocol| (protocol, random::pass_phrase(PASS_PHRASE))),
            privacy: privacy.map(|protocol| (protocol, random::pass_phrase(PASS_PHRASE))),
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
    text.write_fmt(what).expect("a string takes everything");
}

fn lower(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// Where the demo serves SSH.
fn ssh_address(base_port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], base_port.saturating_add(2)))
}

/// Whether there is a configuration that no demo has written.
fn is_somebody_elses(config: &Path) -> bool {
    config.exists() && !fs::read(config).is_ok_and(|text| text.starts_with(FIRST_LINE.as_bytes()))
}

/// How a demo's configuration is known.
const FIRST_LINE: &str = "# A demonstration on loopback, with every algorithm there is.";
/// A context beside the default one, which serves the same objects.
const CONTEXT: &str = "demo";
/// Characters of a community.
const COMMUNITY: usize = 12;
/// Characters of a pass phrase.
const PASS_PHRASE: usize = 16;
