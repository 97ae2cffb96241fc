//! The file with an agent's addresses and a manager's credentials: `credentials.env` of
//! `portreeved demo`, or a file that the user writes for a device.
//!
//! | variable | meaning |
//! |---|---|
//! | `PORTREEVE_UDP`, `_TCP`, `_TLS`, `_DTLS`, `_SSH` | the address of a listener |
//! | `PORTREEVE_RO` | a community |
//! | `PORTREEVE_USER`, `_AUTH`, `_AUTH_PASS`, `_PRIV`, `_PRIV_PASS` | a user |
//! | `PORTREEVE_USERS` | the path of a table with more users, as in `users.tsv` |
//! | `PORTREEVE_SSH_USER`, `_SSH_KEY`, `_KNOWN_HOSTS` | the login over SSH |
//! | `PORTREEVE_TLS_CERT`, `_TLS_KEY`, `_TLS_CA`, `_SERVER_NAME` | certificates for TLS and DTLS |
//! | `PORTREEVE_ENGINE_ID` | the agent's engine ID |

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use portreeve_snmp_manager::{AuthProtocol, EngineId, PrivProtocol};

use super::{Carrier, Message, ProtocolStack};
use crate::daemon::{User, read_env, read_users};
use crate::error::{Context, Result};
use crate::netconf_client::NetconfLogin;

/// The addresses and credentials in one file.
pub(crate) struct CredentialsFile {
    path: PathBuf,
    variables: HashMap<String, String>,
    users: Vec<User>,
}

impl CredentialsFile {
    /// Reads the file and the table of users that it names.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let variables = read_env(path)?;
        let mut file = Self { path: path.into(), variables, users: Vec::new() };
        if let Some(table) = file.find("USERS") {
            file.users = read_users(Path::new(table))?;
        }
        if let Some(name) = file.find("USER") {
            let get = |name| file.find(name).unwrap_or_default().to_owned();
            let (auth, privacy) = (get("AUTH"), get("PRIV"));
            let level = match (auth.is_empty(), privacy.is_empty()) {
                (true, _) => "noAuthNoPriv",
                (false, true) => "authNoPriv",
                (false, false) => "authPriv",
            };
            let (auth_pass, priv_pass) = (get("AUTH_PASS"), get("PRIV_PASS"));
            let (name, level) = (name.to_owned(), level.to_owned());
            file.users.push(User { name, level, auth, auth_pass, privacy, priv_pass });
        }
        Ok(file)
    }

    /// The path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the value of a variable, without `PORTREEVE_` in its name.
    pub(crate) fn find(&self, name: &str) -> Option<&str> {
        let found = self.variables.get(&format!("PORTREEVE_{name}"))?;
        (!found.is_empty()).then_some(found)
    }

    /// Returns the value of a variable that must exist.
    pub(crate) fn get(&self, name: &str) -> Result<&str> {
        self.find(name).ok_or_else(|| format!("the credentials contain no PORTREEVE_{name}").into())
    }

    /// Returns the address of a NETCONF server, and the login from the variables for SSH.
    pub(crate) fn netconf_login(&self) -> Result<NetconfLogin> {
        Ok(NetconfLogin {
            address: self.address(Carrier::Ssh)?,
            user: self.get("SSH_USER")?.into(),
            key: self.get("SSH_KEY")?.into(),
            known_hosts: self.get("KNOWN_HOSTS")?.into(),
        })
    }

    /// Returns the address of a carrier.
    pub(crate) fn address(&self, carrier: Carrier) -> Result<SocketAddr> {
        let variable = match carrier {
            Carrier::Udp => "UDP",
            Carrier::Tcp => "TCP",
            carrier if carrier.is_ssh() => "SSH",
            Carrier::Dtls12 | Carrier::Dtls13 => "DTLS",
            _ => "TLS",
        };
        let address = self.get(variable)?;
        address.parse().context(format!("invalid address '{address}' in PORTREEVE_{variable}"))
    }

    /// Returns the agent's engine ID if the file contains it.
    pub(super) fn engine_id(&self) -> Result<Option<EngineId>> {
        Ok(self.find("ENGINE_ID").map(str::parse).transpose()?)
    }

    /// Returns the user with these algorithms.
    pub(crate) fn user(&self, auth: Option<AuthProtocol>, privacy: Option<PrivProtocol>) -> Result<&User> {
        let found = self
            .users
            .iter()
            .find(|user| user.auth.parse().ok() == auth && user.privacy.parse().ok() == privacy);
        found.ok_or_else(|| {
            let name = |name: Option<&'static str>| name.unwrap_or("none");
            let (auth, privacy) = (auth.map(AuthProtocol::name), privacy.map(PrivProtocol::name));
            let (auth, privacy) = (name(auth), name(privacy));
            format!("the credentials contain no user with authentication {auth} and privacy {privacy}").into()
        })
    }

    /// Checks that the file contains what a protocol stack needs.
    ///
    /// # Errors
    /// The first value that is missing.
    pub(crate) fn check(&self, stack: ProtocolStack) -> Result<()> {
        self.address(stack.carrier)?;
        let needed: &[&str] = match stack.carrier {
            Carrier::Udp | Carrier::Tcp => &[],
            carrier if carrier.is_ssh() => SSH,
            _ => TLS,
        };
        needed.iter().try_for_each(|name| self.get(name).map(drop))?;
        match stack.message {
            Message::V1 | Message::V2c => self.get("RO").map(drop),
            Message::Usm(auth, privacy) => self.user(auth, privacy).map(drop),
            Message::Tsm => Ok(()),
        }
    }
}

/// Returns the text of a file with `address` in every variable that contains an address. A port in
/// the text is kept; a missing variable gets the standard port.
pub(crate) fn for_device(text: &str, address: IpAddr) -> Result<String> {
    let is_address = |line: &str| ADDRESSES.iter().any(|(name, _)| variable(line) == Some(name));
    let mut lines: Vec<String> = text.lines().filter(|line| !is_address(line)).map(str::to_owned).collect();
    for (name, default) in ADDRESSES {
        let value =
            text.lines().filter(|line| variable(line) == Some(name)).find_map(|line| line.split_once('='));
        let port = match value {
            None => default,
            Some((_, value)) => {
                let value = value.trim_matches(['\'', '"']);
                let port = value.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
                port.ok_or_else(|| {
                    format!("invalid address '{value}' in PORTREEVE_{name}: expected HOST:PORT")
                })?
            }
        };
        lines.push(format!("PORTREEVE_{name}='{}'", SocketAddr::new(address, port)));
    }
    Ok(lines.join("\n") + "\n")
}

/// Returns the name of the variable that a line sets, without `PORTREEVE_`.
fn variable(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches("export ");
    line.split_once('=')?.0.strip_prefix("PORTREEVE_")
}

/// The variables that contain addresses, and their standard ports.
const ADDRESSES: [(&str, u16); 5] =
    [("UDP", 161), ("TCP", 161), ("TLS", 10161), ("DTLS", 10161), ("SSH", 5161)];

const SSH: &[&str] = &["SSH_USER", "SSH_KEY", "KNOWN_HOSTS"];
const TLS: &[&str] = &["TLS_CERT", "TLS_KEY", "TLS_CA"];

#[cfg(test)]
mod tests;
