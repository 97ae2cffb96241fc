//! portreeved and the client with TLS that protects messages less than TLS does (paper 002 Tables 2
//! and 6).
//!
//! The agent runs inside a process of the lab, with the code of portreeved. A variable in the
//! environment of both processes names the protection. portreeved itself cannot be started like
//! this: it does not contain such cipher suites. The agent listens only where no other machine can
//! reach it: on loopback, or in a network namespace that its parent process, a lab, has created.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::parent_id;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use portreeve_lab_tls::Protection;

use crate::error::{Context as _, Result};
use crate::peers::Environment;

/// `agent run --first-start --config FILE`: runs portreeved in this process, with the protection in
/// the environment.
pub(crate) fn run_agent(arguments: &[String]) -> Result<()> {
    // An agent does not bind further addresses when it reloads its configuration.
    check_addresses(config_of(arguments)?, is_in_namespace_of_lab().unwrap_or(false))?;
    install()?;
    match portreeve_agent::run(arguments.iter().map(OsString::from)) {
        ExitCode::SUCCESS => Ok(()),
        _ => Err("the agent has failed".into()),
    }
}

/// Returns the configuration file in the arguments with which experiments start the agent.
fn config_of(arguments: &[String]) -> Result<&Path> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["run", "--first-start", "--config", file] => Ok(Path::new(file)),
        _ => Err("expected `agent run --first-start --config FILE`".into()),
    }
}

/// Checks that other machines cannot reach the agent.
fn check_addresses(config: &Path, is_in_namespace_of_lab: bool) -> Result<()> {
    let listeners = portreeve_config::load(config)?.config.listeners;
    let reachable = listeners.iter().find(|listener| !listener.address.ip().is_loopback());
    match reachable {
        Some(listener) if !is_in_namespace_of_lab => Err(format!(
            "{}: address {}: an agent with less protection listens only on loopback, or in a network that the lab has created",
            config.display(),
            listener.address
        )
        .into()),
        _ => Ok(()),
    }
}

/// Returns true if the parent of this process is a lab, and this process runs in another network
/// namespace. The lab starts agents only in namespaces that it has created.
fn is_in_namespace_of_lab() -> io::Result<bool> {
    let parent = parent_id();
    if fs::read_link(format!("/proc/{parent}/exe"))? != env::current_exe()? {
        return Ok(false);
    }
    let namespace = |process: &str| {
        fs::metadata(format!("/proc/{process}/ns/net")).map(|metadata| (metadata.dev(), metadata.ino()))
    };
    Ok(namespace(&parent.to_string())? != namespace("self")?)
}

/// Makes TLS connections of this process use the protection in the environment, if there is one.
pub(crate) fn install() -> Result<()> {
    let Ok(name) = env::var(VARIABLE) else { return Ok(()) };
    let protection = Protection::from_name(&name).ok_or_else(|| format!("unknown protection '{name}'"))?;
    protection.install().context(VARIABLE)
}

/// Returns the environment of the agent and of the client.
pub(crate) fn environment(protection: Protection) -> Environment {
    match protection {
        Protection::None => &[(VARIABLE, "none")],
        Protection::Integrity => &[(VARIABLE, "integrity")],
        Protection::Both => &[(VARIABLE, "both")],
        Protection::ChaCha20 => &[(VARIABLE, "both-chacha20")],
    }
}

const VARIABLE: &str = "PORTREEVE_LAB_TLS_PROTECTION";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_names_each_protection() {
        for protection in Protection::ALL {
            let [(variable, name)] = environment(protection) else { panic!("{protection:?}") };
            assert_eq!((*variable, Protection::from_name(name)), (VARIABLE, Some(protection)));
        }
    }

    #[test]
    fn agent_listens_only_on_loopback_outside_networks_of_the_lab() {
        let directory = tempfile::tempdir().unwrap();
        let config = directory.path().join("portreeved.toml");
        let check = |addresses: &[&str], is_in_namespace_of_lab| {
            let listen =
                |address: &&str| format!("[[listen]]\ntransport = \"udp\"\naddress = \"{address}\"\n");
            fs::write(&config, addresses.iter().map(listen).collect::<String>()).unwrap();
            check_addresses(&config, is_in_namespace_of_lab)
        };
        assert!(check(&["127.0.0.1:16100", "[::1]:16100"], false).is_ok());
        for address in ["192.0.2.1:16100", "0.0.0.0:16100", "[::]:16100", "[2001:db8::1]:16100"] {
            let error = check(&["127.0.0.1:16100", address], false).err().unwrap();
            assert!(error.message().contains("listens only on loopback"), "{}", error.message());
            assert!(check(&["127.0.0.1:16100", address], true).is_ok());
        }
        // Without an address, the agent listens on all of them.
        fs::write(&config, "[[listen]]\ntransport = \"udp\"\n").unwrap();
        assert!(check_addresses(&config, false).is_err());
    }

    #[test]
    fn process_that_was_not_started_by_a_lab_is_not_in_its_namespace() {
        assert!(!is_in_namespace_of_lab().unwrap_or(false));
    }

    #[test]
    fn only_the_command_that_runs_an_agent_with_a_configuration_is_accepted() {
        let config = |line: &str| {
            let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
            config_of(&arguments).ok().map(Path::to_owned)
        };
        assert_eq!(config("run --first-start --config a.toml"), Some("a.toml".into()));
        for line in ["demo --config a.toml", "run", "run --first-start --config=a.toml --config b.toml"] {
            assert_eq!(config(line), None, "{line}");
        }
    }
}
