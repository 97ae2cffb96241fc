//! Creates the russh configuration of a client.

use std::sync::Arc;

use russh::{Preferred, client, kex, keys::Algorithm};

use super::{known_hosts::KnownHosts, settings::ClientSettings, target::SshTarget};
use crate::algorithms;

/// Returns the client configuration for a server with these known host keys.
pub(crate) fn client_config(
    settings: &ClientSettings,
    target: &SshTarget,
    known: &KnownHosts,
) -> Arc<client::Config> {
    let kinds: Vec<&str> = known.key_types().collect();
    let mut keys = algorithms::HOST_KEYS.to_vec();
    // Prefer key types that known_hosts lists. The sort is stable, so the other types keep their
    // order.
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

/// Receive window of a channel in octets: several of the longest messages. It is extended when half
/// of it is used up.
const WINDOW: u32 = 256 * 1024;

/// Extensions in the list of key exchanges: the server's supported signature algorithms, and strict
/// key exchange.
const EXTENSIONS: &[kex::Name] =
    &[kex::EXTENSION_SUPPORT_AS_CLIENT, kex::EXTENSION_OPENSSH_STRICT_KEX_AS_CLIENT];
