//! The access methods of the demo's agent: transport, security and user.

use crate::agent::{Demo, User};
use crate::error::Result;

/// One way to access the demo's agent.
pub struct AccessMethod {
    /// The transport's name in addresses.
    pub transport: &'static str,
    /// The protection and algorithms of the messages or, over a secure transport, the kind of
    /// client credentials.
    pub security: String,
    /// The securityName for access control.
    pub security_name: String,
    /// The command-line options that select this access method.
    pub options: Vec<String>,
    /// The agent's address as the command line specifies it.
    pub address: String,
    /// The environment variables that the command needs.
    pub environment: Vec<(&'static str, String)>,
}

impl AccessMethod {
    /// Returns the agent's port.
    pub fn port(&self) -> Option<u16> {
        self.address.rsplit_once(':')?.1.parse().ok()
    }
}

/// Returns all access methods that differ in cost, the weakest first and sessions last.
pub fn all(demo: &Demo) -> Result<Vec<AccessMethod>> {
    let mut methods = Vec::new();
    for (transport, variable) in [("udp", "PORTREEVE_UDP"), ("tcp", "PORTREEVE_TCP")] {
        for version in ["1", "2c"] {
            methods.push(AccessMethod {
                transport,
                security: format!("v{version} community"),
                security_name: COMMUNITY.to_owned(),
                options: ["-v", version, "-c", demo.env("PORTREEVE_RO")?].map(String::from).into(),
                address: format!("{transport}:{}", demo.env(variable)?),
                environment: Vec::new(),
            });
        }
        for (level, auth, privacy) in
            [("noAuthNoPriv", "", ""), ("authNoPriv", "SHA-256", ""), ("authPriv", "SHA-256", "AES")]
        {
            let fits = |user: &&User| user.level == level && user.auth == auth && user.privacy == privacy;
            let user =
                demo.users.iter().find(fits).ok_or_else(|| format!("users.tsv has no {level} user"))?;
            methods.push(AccessMethod {
                transport,
                security: format!("USM {level} {auth} {privacy}").trim_end().to_owned(),
                security_name: user.name.clone(),
                options: user.options(),
                address: format!("{transport}:{}", demo.env(variable)?),
                environment: Vec::new(),
            });
        }
    }
    methods.extend([ssh(demo)?, by_certificate(demo, "tls", "PORTREEVE_TLS")?]);
    methods.push(by_certificate(demo, "dtls", "PORTREEVE_DTLS")?);
    Ok(methods)
}

fn ssh(demo: &Demo) -> Result<AccessMethod> {
    let user = demo.env("PORTREEVE_SSH_USER")?;
    Ok(AccessMethod {
        transport: "ssh",
        security: "public key".to_owned(),
        security_name: user.to_owned(),
        options: Vec::new(),
        address: format!("ssh://{user}@{}", demo.env("PORTREEVE_SSH")?),
        environment: inherited(demo, &["PORTREEVE_SSH_KEY", "PORTREEVE_KNOWN_HOSTS"])?,
    })
}

fn by_certificate(demo: &Demo, transport: &'static str, variable: &str) -> Result<AccessMethod> {
    Ok(AccessMethod {
        transport,
        security: "certificate".to_owned(),
        // The demo maps its certificates to their CommonName, which is the SSH user's name.
        security_name: demo.env("PORTREEVE_SSH_USER")?.to_owned(),
        options: Vec::new(),
        address: format!("{transport}:{}", demo.env(variable)?),
        environment: inherited(demo, &["PORTREEVE_TLS_CERT", "PORTREEVE_TLS_KEY", "PORTREEVE_TLS_CA"])?,
    })
}

fn inherited(demo: &Demo, names: &[&'static str]) -> Result<Vec<(&'static str, String)>> {
    names.iter().map(|name| Ok((*name, demo.env(name)?.to_owned()))).collect()
}

/// The securityName of the demo's read community.
const COMMUNITY: &str = "community-read";
