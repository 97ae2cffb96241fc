//! Sessions: what agents prove themselves with, and whom they let in.
//!
//! ```text
//! Keys (files that were named, a folder) ──▶ files ──▶ Security: one server of each kind for all agents
//!                       └─ what the folder lacks is made
//! ```
//! Whoever gets in is everybody, and reads everything: simulated agents tell nobody anything that was not recorded.

mod files;
mod folder;
mod hints;

use std::sync::Arc;

use portreeve_channel::PeerIdentity;
use portreeve_channel_dtls::DtlsServer;
use portreeve_channel_ssh::server::{Authentication, HostKeys, KeyFiles, Settings, SshServer};
use portreeve_channel_tls::{TlsServer, Versions};
use portreeve_smi::TransportDomain;
use portreeve_transport::{Protocol, Security, SecurityNames};
use portreeve_x509::{Credentials, Trust};

use crate::{arguments::Plan, failure::Failure, site::EVERYBODY};

use folder::Certificates;

pub(crate) use hints::hints;

/// What the listeners of a plan hold sessions with.
///
/// # Errors
/// Keys or certificates that are missing, or cannot be used.
pub(crate) fn security(plan: &Plan) -> Result<Security, Failure> {
    let mut security = Security { names: Arc::new(Anybody), ..Security::none() };
    if listens(plan, Protocol::Tls) || listens(plan, Protocol::Dtls) {
        let files = files::certificates(&plan.keys)?;
        if listens(plan, Protocol::Tls) {
            let (credentials, trust) = read(&files)?;
            let server = TlsServer::new(&credentials, trust, Versions::From12).map_err(Failure::because)?;
            security.tls = Some(Arc::new(server));
        }
        if listens(plan, Protocol::Dtls) {
            let (credentials, trust) = read(&files)?;
            let server =
                DtlsServer::new(&credentials, trust, Default::default()).map_err(Failure::because)?;
            security.dtls = Some(Arc::new(server));
        }
    }
    if listens(plan, Protocol::Ssh) {
        let files = files::ssh_keys(&plan.keys)?;
        let host_keys = HostKeys::load(&[files.host_key]).map_err(Failure::because)?;
        let pattern = files.authorized_keys.to_string_lossy().replace('%', "%%");
        let key_files = KeyFiles::new([pattern]).map_err(Failure::because)?;
        let authentication = Authentication { key_files, ..Authentication::default() };
        security.ssh = Some(Arc::new(SshServer::new(Settings::new(host_keys, authentication))));
    }
    Ok(security)
}

fn read(files: &Certificates) -> Result<(Credentials, Trust), Failure> {
    let mut trust = Trust::default();
    trust.add_authorities(&files.authority).map_err(Failure::because)?;
    let credentials = Credentials::load(&files.certificate, &files.key).map_err(Failure::because)?;
    Ok((credentials, trust))
}

fn listens(plan: &Plan, protocol: Protocol) -> bool {
    plan.listen.iter().any(|listener| listener.protocol == protocol)
}

/// Gives everyone whom a channel lets in the one name that there is.
struct Anybody;

impl SecurityNames for Anybody {
    fn security_name(&self, _: TransportDomain, _: &PeerIdentity) -> Option<Arc<[u8]>> {
        Some(EVERYBODY.as_bytes().into())
    }
}
