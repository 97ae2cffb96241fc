//! The Transport Security Model (RFC 5591): the session authenticates the sender.

use std::sync::Arc;

use portreeve_smi::{SecurityLevel, TmStateReference, TransportDomain};

use crate::reject_reason::TsmRejectReason;

/// snmpTsmConfigurationUsePrefix: true if securityNames start with the prefix of their transport.
/// The default is false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct UsePrefix(pub(crate) bool);

/// Returns the securityName of a message received in a session (RFC 5591 §5.2).
pub(crate) fn process_incoming_msg(
    state: &TmStateReference,
    level: SecurityLevel,
    use_prefix: UsePrefix,
) -> Result<Arc<[u8]>, TsmRejectReason> {
    //= rfc5591#5.2-2
    let name =
        state.security_name.as_ref().filter(|name| !name.is_empty()).ok_or(TsmRejectReason::InvalidCache)?;
    //= rfc5591#5.2-3
    let name = if use_prefix.0 {
        let prefix = prefix_of(state.domain).ok_or(TsmRejectReason::UnknownPrefix)?;
        [prefix, b":", name].concat().into()
    } else {
        Arc::clone(name)
    };
    //= rfc5591#5.2-4
    if state.transport_level < level {
        return Err(TsmRejectReason::InadequateSecurityLevel);
    }
    Ok(name)
}

/// Returns the prefix of a transport in securityNames (RFC 5592 §5, RFC 6353 §7).
fn prefix_of(domain: TransportDomain) -> Option<&'static [u8]> {
    match domain {
        TransportDomain::Ssh => Some(b"ssh"),
        TransportDomain::Tls => Some(b"tls"),
        TransportDomain::Dtls => Some(b"dudp"),
        TransportDomain::Udp | TransportDomain::Tcp | TransportDomain::Unix => None,
    }
}

#[cfg(test)]
mod tests;
