//! Command lines of Net-SNMP's commands.

use super::configuration::credential_words;
use super::{NOT_INSTALLED, certificates, check};
use crate::client::{Carrier, CredentialsFile, ProtocolStack};
use crate::error::Result;
use crate::harness::Skipped;
use crate::process::find;

/// Returns a command of Net-SNMP without MIB modules that reads `name`, as words of a command line.
pub(crate) fn command(
    program: &str,
    stack: ProtocolStack,
    agent: &CredentialsFile,
    name: &str,
) -> std::result::Result<Vec<String>, Skipped> {
    check(stack)?;
    let program = find(program).ok_or(NOT_INSTALLED)?;
    let mut words = vec![program.display().to_string(), "-m".into(), String::new(), "-On".into()];
    match &credential_words(stack.message)?[..] {
        [kind, ..] if kind == "tsm" => words.extend(tsm_words()),
        [version, user, keys @ ..] if version == "3" => {
            let level = ["noAuthNoPriv", "authNoPriv", "authPriv"].get(keys.len() / 2).copied();
            words.extend(["-v3", "-u", user, "-l", level.unwrap_or_default()].map(String::from));
            let options = ["-a", "-A", "-x", "-X"].into_iter().zip(keys);
            words.extend(options.flat_map(|(option, value)| [option.to_owned(), value.clone()]));
        }
        [version, community, ..] => words.extend([format!("-v{version}"), "-c".into(), community.clone()]),
        _ => {}
    }
    let (transport, address) = agent_address(stack, agent)?;
    words.extend([format!("{transport}:{address}"), name.to_owned()]);
    Ok(words)
}

/// Returns the options of a command that uses the Transport Security Model with the certificates in
/// its configuration directory.
pub(crate) fn tsm_words() -> impl Iterator<Item = String> {
    let options = ["our_identity", "their_identity", "trust_cert"].into_iter().zip(certificates::NAMES);
    let options = options.flat_map(|(option, name)| ["-T".to_owned(), format!("{option}={name}")]);
    ["-v3".to_owned()].into_iter().chain(options)
}

/// Returns the name of the transport and the address of the agent.
pub(super) fn agent_address(stack: ProtocolStack, agent: &CredentialsFile) -> Result<(&'static str, &str)> {
    Ok(match stack.carrier {
        Carrier::Tcp => ("tcp", agent.get("TCP")?),
        Carrier::Dtls12 => ("dtlsudp", agent.get("DTLS")?),
        _ => ("udp", agent.get("UDP")?),
    })
}
