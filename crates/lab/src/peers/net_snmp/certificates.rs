//! Certificates in Net-SNMP's directories: those that `portreeved demo` creates.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use portreeve_lab_net::Topology;

use crate::error::{Context, Result};
use crate::peers::portreeved;

/// Creates an authority and the certificates of the agent and of the user, and installs them below
/// the configuration directory. Returns the lines for the credentials of our client.
pub(crate) fn create(topology: &Topology, directory: &Path) -> Result<String> {
    let demo = directory.join("certificates");
    portreeved::make_files(topology, &demo)?;
    install(&demo, directory)?;
    let line = |name: &str, file: &str| format!("PORTREEVE_{name}='{}'\n", demo.join(file).display());
    Ok([("TLS_CERT", "ops.pem"), ("TLS_KEY", "ops.key"), ("TLS_CA", "ca.pem")]
        .map(|(name, file)| line(name, file))
        .concat())
}

/// Installs the certificates in `demo` below a configuration directory of Net-SNMP.
pub(crate) fn install(demo: &Path, directory: &Path) -> Result<()> {
    let files = [
        ("agent.pem", "certs", "agent.crt"),
        ("agent.key", "private", "agent.key"),
        ("ops.pem", "certs", "ops.crt"),
        ("ops.key", "private", "ops.key"),
        ("ca.pem", "ca-certs", "ca.crt"),
    ];
    for (source, folder, name) in files {
        let folder = directory.join("tls").join(folder);
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).context(folder.display())?;
        fs::copy(demo.join(source), folder.join(name)).context(source)?;
    }
    Ok(())
}

/// The lines of `snmpd.conf` and `snmptrapd.conf` that use the certificates.
pub(crate) const CONFIGURATION: &str =
    "[snmp] localCert agent\n[snmp] trustCert ca\ncertSecName 10 ops --sn ops\n";

/// The certificates of the user, of the agent and of the authority, as Net-SNMP names them.
pub(crate) const NAMES: [&str; 3] = ["ops", "agent", "ca"];
