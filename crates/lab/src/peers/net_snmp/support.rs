//! The abilities of the installed Net-SNMP, as its programs list them.

use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::process::find;

/// The version and the abilities of the installed Net-SNMP.
#[derive(Debug, Default)]
pub(crate) struct Support {
    version: String,
    /// The names of the privacy protocols, such as `AES-256`.
    privacy: Vec<String>,
    /// True if the library has certainly no SSH transport.
    lacks_ssh: bool,
    /// True if OpenSSL has certainly no DTLS 1.3.
    lacks_dtls13: bool,
}

impl Support {
    /// Returns the abilities, which are probed by the first call.
    pub(crate) fn probed() -> &'static Self {
        static PROBED: OnceLock<Support> = OnceLock::new();
        PROBED.get_or_init(Self::probe)
    }

    fn probe() -> Self {
        let help = text("snmpget", &["-h"]);
        // The debugging output lists the transports of the library. No datagram is sent if it has
        // none for SSH.
        let transport =
            text("snmpget", &["-Dtdomain", "-v2c", "-cx", "-r0", "-t0.1", "ssh:127.0.0.1:9", ".1"]);
        let openssl = text("openssl", &["s_client", "-help"]);
        Self {
            version: version(&text("snmpget", &["-V"])),
            privacy: privacy(&help),
            lacks_ssh: transport.contains("no domain from specifier \"ssh\""),
            lacks_dtls13: openssl.contains("-dtls1_2") && !openssl.contains("-dtls1_3"),
        }
    }

    /// Returns true if the library has a privacy protocol.
    pub(crate) fn has_privacy(&self, name: &str) -> bool {
        self.privacy.iter().any(|known| known == name)
    }

    /// Returns the reason why a privacy protocol is not measured.
    pub(crate) fn no_privacy(&self, name: &str) -> String {
        format!("this build of {} has no {name}", self.name())
    }

    /// Returns the reason why SSH is not measured.
    pub(crate) fn no_ssh(&self) -> String {
        match self.lacks_ssh {
            true => format!("this build of {} has no SSH", self.name()),
            false => format!("SSH is not tried with {}", self.name()),
        }
    }

    /// Returns the reason why TLS is not measured. Only a handshake would show the versions.
    pub(crate) fn no_tls(&self) -> String {
        format!("TLS is not tried with {}: release 5.9.3 supports no version after 1.0", self.name())
    }

    /// Returns the reason why DTLS 1.3 is not measured.
    pub(crate) fn no_dtls13(&self) -> String {
        match self.lacks_dtls13 {
            true => "the installed OpenSSL does not support DTLS 1.3".to_owned(),
            false => format!("DTLS 1.3 is not tried with {}", self.name()),
        }
    }

    fn name(&self) -> String {
        format!("Net-SNMP {}", self.version).trim_end().to_owned()
    }
}

/// Returns what a program prints on both outputs; empty if it is not installed.
fn text(program: &str, arguments: &[&str]) -> String {
    let output = find(program).map(|program| {
        let mut command = Command::new(program);
        // The user's configuration has no effect, and nothing is written to it.
        command.envs([("MIBS", ""), ("SNMPCONFPATH", NOWHERE), ("SNMP_PERSISTENT_DIR", NOWHERE)]);
        command.args(arguments).stdin(Stdio::null()).output()
    });
    let Some(Ok(output)) = output else { return String::new() };
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

/// Parses a line such as `NET-SNMP version: 5.9.3`.
fn version(text: &str) -> String {
    let line = text.lines().find_map(|line| line.split_once("ersion:"));
    line.map_or(String::new(), |(_, version)| version.trim().to_owned())
}

/// Parses a line such as `-x PROTOCOL set privacy protocol (DES|AES|AES-192|AES-256)`.
fn privacy(help: &str) -> Vec<String> {
    let line = help.lines().find(|line| line.trim_start().starts_with("-x "));
    let names = line.and_then(|line| Some(line.split_once('(')?.1.split_once(')')?.0));
    names.map_or(Vec::new(), |names| names.split('|').map(str::to_owned).collect())
}

/// A path below which no directory can be created.
const NOWHERE: &str = "/dev/null";

#[cfg(test)]
mod tests {
    use super::{Support, privacy, version};

    #[test]
    fn privacy_protocols_are_those_of_the_help() {
        let help = "  -u USER-NAME\t\tset security name (e.g. bert)\n  \
                    -x PROTOCOL\t\tset privacy protocol (DES|AES|AES-192|AES-256)\n  -X PASSPHRASE\t\tset (e.g.)\n";
        let support = Support { privacy: privacy(help), ..Support::default() };
        assert!(support.has_privacy("DES") && support.has_privacy("AES-256"));
        assert!(!support.has_privacy("3DES"));
        assert!(privacy("-x PROTOCOL\t\tset privacy protocol\n").is_empty());
    }

    #[test]
    fn reasons_name_the_version_and_claim_only_what_was_probed() {
        let mut support = Support { version: version("\nNET-SNMP version: 5.9.3\n"), ..Support::default() };
        assert_eq!(support.no_privacy("AES-256"), "this build of Net-SNMP 5.9.3 has no AES-256");
        assert_eq!(support.no_ssh(), "SSH is not tried with Net-SNMP 5.9.3");
        assert_eq!(support.no_dtls13(), "DTLS 1.3 is not tried with Net-SNMP 5.9.3");
        (support.lacks_ssh, support.lacks_dtls13) = (true, true);
        assert_eq!(support.no_ssh(), "this build of Net-SNMP 5.9.3 has no SSH");
        assert!(support.no_dtls13().contains("does not support"));
        assert_eq!(Support::default().no_ssh(), "SSH is not tried with Net-SNMP");
    }
}
