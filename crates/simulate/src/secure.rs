//! Secure sessions: the keys of agents and the authentication of clients.
//!
//! ```text
//! KeyOptions (files, or a directory) ──▶ files ──▶ TransportSecurity: one server per transport
//!                       └─ creates missing files
//! ```
//! Every authenticated client can read everything; simulated agents contain nothing but recordings.

mod files;
mod folder;
mod hints;

use std::sync::Arc;

use portreeve_channel::PeerIdentity;
use portreeve_channel_dtls::DtlsServer;
use portreeve_channel_ssh::server::{Authentication, HostKeys, KeyFiles, ServerSettings, SshServer};
use portreeve_channel_tls::{TlsServer, Versions};
use portreeve_smi::TransportDomain;
use portreeve_transport::{Protocol, SecurityNameMapping, TransportSecurity};
use portreeve_x509::{Credentials, Trust};

use crate::{access::SECURITY_NAME, arguments::SimulationPlan, error::CommandError};

use folder::Certificates;

pub(crate) use hints::hints;

/// Creates the servers for the secure listeners of a plan.
///
/// # Errors
/// Keys or certificates are missing or cannot be used.
pub(crate) fn security(plan: &SimulationPlan) -> Result<TransportSecurity, CommandError> {
    let mut security = TransportSecurity { names: Arc::new(FixedSecurityName), ..TransportSecurity::none() };
    if listens(plan, Protocol::Tls) || listens(plan, Protocol::Dtls) {
        let files = files::certificates(&plan.keys)?;
        if listens(plan, Protocol::Tls) {
            let (credentials, trust) = read(&files)?;
            let server = TlsServer::new(&credentials, trust, Versions::From12).map_err(CommandError::new)?;
            security.tls = Some(Arc::new(server));
        }
        if listens(plan, Protocol::Dtls) {
            let (credentials, trust) = read(&files)?;
            let server =
                DtlsServer::new(&credentials, trust, Default::default()).map_err(CommandError::new)?;
            security.dtls = Some(Arc::new(server));
        }
    }
    if listens(plan, Protocol::Ssh) {
        let files = files::ssh_keys(&plan.keys)?;
        let host_keys = HostKeys::load(&[files.host_key]).map_err(CommandError::new)?;
        let pattern = files.authorized_keys.to_string_lossy().replace('%', "%%");
        let key_files = KeyFiles::new([pattern]).map_err(CommandError::new)?;
        let authentication = Authentication { key_files, ..Authentication::default() };
        security.ssh = Some(Arc::new(SshServer::new(ServerSettings::new(host_keys, authentication))));
    }
    Ok(security)
}

fn read(files: &Certificates) -> Result<(Credentials, Trust), CommandError> {
    let mut trust = Trust::default();
    trust.add_authorities(&files.authority).map_err(CommandError::new)?;
    let credentials = Credentials::load(&files.certificate, &files.key).map_err(CommandError::new)?;
    Ok((credentials, trust))
}

fn listens(plan: &SimulationPlan, protocol: Protocol) -> bool {
    plan.listen.iter().any(|listener| listener.protocol == protocol)
}

/// Maps every authenticated client to the securityName of all clients.
struct FixedSecurityName;

impl SecurityNameMapping for FixedSecurityName {
    fn security_name(&self, _: TransportDomain, _: &PeerIdentity) -> Option<Arc<[u8]>> {
        Some(SECURITY_NAME.as_bytes().into())
    }
}
