//! How the demo's agent can be asked: over what, how well protected, and as whom.

use crate::daemon::{Demo, User};
use crate::failure::Result;

/// One way to ask.
pub(super) struct Way {
    pub(super) transport: &'static str,
    /// What protects, or what the peer proves itself with in a session.
    pub(super) security: String,
    /// The securityName that access control judges.
    pub(super) known_as: String,
    /// Options of a command.
    pub(super) options: Vec<String>,
    /// The agent, as commands take it.
    pub(super) address: String,
    /// What commands find in their environment.
    pub(super) environment: Vec<(&'static str, String)>,
}

/// Every way that differs in cost, the weakest first and sessions last.
pub(super) fn all(demo: &Demo) -> Result<Vec<Way>> {
    let mut ways = Vec::new();
    for (transport, variable) in [("udp", "PORTREEVE_UDP"), ("tcp", "PORTREEVE_TCP")] {
        for version in ["1", "2c"] {
            ways.push(Way {
                transport,
                security: format!("v{version} community"),
                known_as: COMMUNITY.to_owned(),
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
            ways.push(Way {
                transport,
                security: format!("USM {level} {auth} {privacy}").trim_end().to_owned(),
                known_as: user.name.clone(),
                options: user.options(),
                address: format!("{transport}:{}", demo.env(variable)?),
                environment: Vec::new(),
            });
        }
    }
    ways.extend([ssh(demo)?, by_certificate(demo, "tls", "PORTREEVE_TLS")?]);
    ways.push(by_certificate(demo, "dtls", "PORTREEVE_DTLS")?);
    Ok(ways)
}

fn ssh(demo: &Demo) -> Result<Way> {
    let user = demo.env("PORTREEVE_SSH_USER")?;
    Ok(Way {
        transport: "ssh",
        security: "public key".to_owned(),
        known_as: user.to_owned(),
        options: Vec::new(),
        address: format!("ssh://{user}@{}", demo.env("PORTREEVE_SSH")?),
        environment: inherited(demo, &["PORTREEVE_SSH_KEY", "PORTREEVE_KNOWN_HOSTS"])?,
    })
}

fn by_certificate(demo: &Demo, transport: &'static str, variable: &str) -> Result<Way> {
    Ok(Way {
        transport,
        security: "certificate".to_owned(),
        // The demo names holders of its certificates by their CommonName, which is the SSH user's.
        known_as: demo.env("PORTREEVE_SSH_USER")?.to_owned(),
        options: Vec::new(),
        address: format!("{transport}:{}", demo.env(variable)?),
        environment: inherited(demo, &["PORTREEVE_TLS_CERT", "PORTREEVE_TLS_KEY", "PORTREEVE_TLS_CA"])?,
    })
}

fn inherited(demo: &Demo, names: &[&'static str]) -> Result<Vec<(&'static str, String)>> {
    names.iter().map(|name| Ok((*name, demo.env(name)?.to_owned()))).collect()
}

/// Whom the demo's file makes of everybody who knows the reading community.
const COMMUNITY: &str = "community-read";
