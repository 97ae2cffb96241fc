//! Configuration lines for agents and clients, ready to be pasted.
//!
//! Paths on this machine are absolute. Paths on another machine assume that the directory has been
//! copied there.

mod agent;
mod client;
mod known_hosts;
mod quote;

use std::path::{Path, PathBuf};

use portreeve_pki::HolderRole;

use crate::{
    CommandError, Report,
    arguments::Args,
    folder::{CA, HolderFolder, KeyFolder, SSH_CA_PUBLIC},
    show::{self, ItemKind},
};

pub(crate) use agent::session_user;

/// The audience of configuration lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Lines for the portreeved.toml of an agent.
    Agent,
    /// A shell on the machine of a client.
    Client,
    /// Lines for the known_hosts of SSH clients.
    KnownHosts,
    /// authorized_keys of a user on the agent's machine.
    AuthorizedKeys,
}

impl Audience {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "agent" => Self::Agent,
            "client" => Self::Client,
            "known-hosts" => Self::KnownHosts,
            "authorized-keys" => Self::AuthorizedKeys,
            _ => return None,
        })
    }
}

/// Prints configuration lines.
pub(crate) fn print(args: &Args) -> Result<Report, CommandError> {
    let folder = KeyFolder::find(args.folder.as_deref())?;
    let data = match args.operand() {
        None => for_authorities(&folder, args.only)?,
        Some(name) => for_holder(&folder, &folder.find_holder(&name)?, args.only)?,
    };
    Ok(Report { data, ..Report::default() })
}

/// Returns the lines for agents and clients that trust the authorities.
pub(crate) fn for_authorities(folder: &KeyFolder, only: Option<Audience>) -> Result<String, CommandError> {
    if !folder.has(CA) && !folder.has(SSH_CA_PUBLIC) {
        return Err(CommandError::at(folder.path(), "no authority in this directory").with_hint(
            "create an authority with `portreeve keys ca`, or specify another directory with --dir",
        ));
    }
    let mut sections = vec![Section {
        audience: Audience::Agent,
        heading: "portreeved.toml of an agent that has its own keys; add each line to the existing table"
            .to_owned(),
        body: agent::authorities(folder)?,
    }];
    if folder.has(SSH_CA_PUBLIC) {
        let key = public_key(&folder.file(SSH_CA_PUBLIC))?;
        sections.push(Section {
            audience: Audience::KnownHosts,
            heading:
                "~/.ssh/known_hosts: trusts every host signed by this authority; replace * to restrict it"
                    .to_owned(),
            body: format!("@cert-authority * {key}\n"),
        });
        sections.push(Section {
            audience: Audience::AuthorizedKeys,
            heading: "authorized_keys of a user, here ops, if [ssh] has no authorities".to_owned(),
            body: format!("cert-authority,principals=\"ops\" {key}\n"),
        });
    }
    Ok(render(&sections, only))
}

/// Returns the lines for the peers of a host or user.
pub(crate) fn for_holder(
    folder: &KeyFolder,
    holder_folder: &HolderFolder,
    only: Option<Audience>,
) -> Result<String, CommandError> {
    let sections = match holder_folder.role {
        HolderRole::Host => host(holder_folder)?,
        HolderRole::User => user(folder, holder_folder)?,
    };
    Ok(render(&sections, only))
}

fn host(host: &HolderFolder) -> Result<Vec<Section>, CommandError> {
    let name = &host.name;
    let mut sections = vec![Section {
        audience: Audience::Agent,
        heading: format!(
            "portreeved.toml on {name}; copy this directory to `keys`, next to portreeved.toml:\n#   {}",
            copy_command(&[host.path.join(".")], name)
        ),
        body: agent::host(host)?,
    }];
    if host.has(host.ssh_key()) {
        sections.push(Section {
            audience: Audience::KnownHosts,
            heading: format!("~/.ssh/known_hosts of clients of {name}"),
            body: known_hosts::of(host)?,
        });
    }
    if let Some(pin) = client::pin(host)? {
        sections.push(Section {
            audience: Audience::Client,
            heading: format!(
                "command to query {name}, whose certificate is self-signed; add your --certificate and --key"
            ),
            body: format!("portreeve get {pin} tls:{} sysUpTime.0\n", quote::host(name)),
        });
    }
    Ok(sections)
}

fn user(folder: &KeyFolder, user: &HolderFolder) -> Result<Vec<Section>, CommandError> {
    let mut sections = vec![Section {
        audience: Audience::Agent,
        heading: format!("portreeved.toml of an agent that {} may query", user.name),
        body: agent::user(user)?,
    }];
    if user.has(user.ssh_key()) {
        sections.push(Section {
            audience: Audience::AuthorizedKeys,
            heading: format!(
                "authorized_keys of {} on the agent's machine, unless [ssh] has authorities",
                user.name
            ),
            body: authorized(folder, user)?,
        });
    }
    sections.push(Section {
        audience: Audience::Client,
        heading: format!("commands of {}; SSH needs the host's line in known_hosts", user.name),
        body: client::commands(folder, user)?,
    });
    Ok(sections)
}

/// Returns the command that copies files or directories to the place where a host's agent reads
/// them.
pub(crate) fn copy_command(paths: &[PathBuf], host: &str) -> String {
    let paths: Vec<_> = paths.iter().map(|path| quote::shell(&path.display().to_string())).collect();
    format!("scp -rp {} root@{}:/etc/portreeve/keys", paths.join(" "), quote::host(host))
}

/// Returns an authorized_keys line. It trusts the authority if that has signed the user's key, and
/// otherwise the key itself.
fn authorized(folder: &KeyFolder, user: &HolderFolder) -> Result<String, CommandError> {
    if user.has(&format!("{}-cert.pub", user.ssh_key())) && folder.has(SSH_CA_PUBLIC) {
        let authority = public_key(&folder.file(SSH_CA_PUBLIC))?;
        return Ok(format!("cert-authority,principals=\"{}\" {authority}\n", user.name));
    }
    public_key(&user.file(&format!("{}.pub", user.ssh_key()))).map(|key| key + "\n")
}

/// Reads a public SSH key as one line.
fn public_key(path: &Path) -> Result<String, CommandError> {
    Ok(show::find_only(path, &[ItemKind::SshKey])?.line)
}

struct Section {
    audience: Audience,
    heading: String,
    body: String,
}

/// Joins the sections. If `only` is `None`, returns all sections with headings; otherwise returns
/// the sections for that audience without headings.
fn render(sections: &[Section], only: Option<Audience>) -> String {
    let mut text = String::new();
    for section in sections {
        match only {
            Some(wanted) if wanted != section.audience => {}
            // A blank line comes first, because these lines are appended to an existing file.
            Some(Audience::Agent) => text += &format!("\n{}", section.body),
            Some(_) => text += &section.body,
            None => {
                let gap = if text.is_empty() { "" } else { "\n" };
                text += &format!("{gap}# {}\n{}", section.heading, section.body);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests;
