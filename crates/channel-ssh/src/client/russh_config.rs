//! What russh is told of a server: what to offer it, in which order.

use std::sync::Arc;

use russh::{Preferred, client, kex, keys::Algorithm};

use super::{known_hosts::KnownHosts, settings::ClientSettings, target::SshTarget};
use crate::algorithms;

/// For a host of which that much is known.
pub(crate) fn client_config(
    settings: &ClientSettings,
    target: &SshTarget,
    known: &KnownHosts,
) -> Arc<client::Config> {
    let kinds: Vec<&str> = known.key_types().collect();
    let mut keys = algorithms::HOST_KEYS.to_vec();
    // A host is asked first for a key that we can compare. The sort is stable.
    keys.sort_by_key(|algorithm| match algorithm {
        Algorithm::Rsa { .. } => !kinds.contains(&"ssh-rsa"),
        other => !kinds.contains(&other.as_str()),
    });
    let certificates = if known.has_authorities() { algorithms::HOST_KEYS } else { &[] };
    Arc::new(client::Config {
        client_id: russh::SshId::Standard(concat!("SSH-2.0-Portreeve_", env!("CARGO_PKG_VERSION")).into()),
        window_size: settings.traffic.window.initial_size(WINDOW),
        preferred: Preferred {
            kex: algorithms::key_exchanges(target.key_exchanges, EXTENSIONS),
            key: keys.into(),
            host_key_certificates: certificates.into(),
            cipher: algorithms::ciphers(target.ciphers),
            mac: algorithms::MACS.into(),
            compression: algorithms::COMPRESSIONS.into(),
        },
        nodelay: settings.traffic.nodelay,
        ..client::Config::default()
    })
}

/// Octets that the server may send ahead.
const WINDOW: u32 = 2 << 20;

/// Asked for in the list of key exchanges: what the server takes besides, and strictness in the exchange.
const EXTENSIONS: &[kex::Name] =
    &[kex::EXTENSION_SUPPORT_AS_CLIENT, kex::EXTENSION_OPENSSH_STRICT_KEX_AS_CLIENT];
