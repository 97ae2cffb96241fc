//! portreeved and the client with TLS that protects messages less than TLS does (paper 002 Tables 2
//! and 6).
//!
//! The agent runs inside a process of the lab, with the code of portreeved. A variable in the
//! environment of both processes names the protection. portreeved itself cannot be started like
//! this: it does not contain such cipher suites.

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use portreeve_lab_tls::Protection;

use crate::error::{Context as _, Result};
use crate::peers::Environment;

/// `agent ARGUMENT...`: runs portreeved in this process, with the protection in the environment.
pub(crate) fn run_agent(arguments: &[String]) -> Result<()> {
    install()?;
    match portreeve_agent::run(arguments.iter().map(OsString::from)) {
        ExitCode::SUCCESS => Ok(()),
        _ => Err("the agent has failed".into()),
    }
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
}
