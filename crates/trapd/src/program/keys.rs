//! The keys and certificates of the listeners.

use std::sync::Arc;

use portreeve_channel::{DatagramAcceptor, StreamAcceptor};
use portreeve_channel_ssh::server::{ServerSettings, SshServer};
use portreeve_datastore::StateHandle;
use portreeve_server_credentials::{TlsMaterial, ssh};
use portreeve_smi::TransportDomain;
use portreeve_transport::{LcdSecurityNames, TransportSecurity};

use super::settings::Settings;

/// The keys and certificates of the listeners, from valid files.
pub(crate) struct Keys {
    tls: Option<TlsMaterial>,
    ssh: Option<ServerSettings>,
}

impl Keys {
    /// Reads the files that the settings name.
    pub(crate) fn load(settings: &Settings) -> Result<Self, String> {
        let has_dtls = settings.shared.listeners.iter().any(|one| one.transport == TransportDomain::Dtls);
        let tls = settings.shared.tls.as_ref().map(|tls| TlsMaterial::load(tls, has_dtls, &settings.file));
        let ssh = settings.shared.ssh.as_ref().map(|ssh| ssh::settings(ssh, &settings.file));
        match (tls.transpose(), ssh.transpose()) {
            (Ok(tls), Ok(ssh)) => Ok(Self { tls, ssh }),
            (Err(error), Err(other)) => Err(error.merge(other).to_string()),
            (Err(error), _) | (_, Err(error)) => Err(error.to_string()),
        }
    }

    /// Creates the servers. The names of their peers come from `names`.
    pub(crate) fn into_security(self, names: &StateHandle) -> Result<TransportSecurity, String> {
        let tls = self.tls.map(|material| material.pin_from_state(names).into_servers());
        let tls = tls.transpose().map_err(|error| error.to_string())?;
        Ok(TransportSecurity {
            ssh: self.ssh.map(|settings| Arc::new(SshServer::new(settings))),
            tls: tls.clone().map(|servers| servers.stream as Arc<dyn StreamAcceptor>),
            dtls: tls.and_then(|servers| Some(servers.datagrams? as Arc<dyn DatagramAcceptor>)),
            names: Arc::new(LcdSecurityNames::new(names.clone())),
        })
    }
}
