//! The Transport Security Model (RFC 5591): the session authenticates the sender.

use std::{fmt, sync::Arc};

use portreeve_smi::{SecurityLevel, TmStateReference, TransportDomain};

use crate::{reject_reason::TsmRejectReason, statistics::Counter};

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

/// Returns the tmSecurityName of a message that this engine sends on behalf of `security_name`
/// (RFC 5591 §4.2). With `use_prefix`, which is snmpTsmConfigurationUsePrefix, it is the
/// securityName without the prefix of the transport.
///
/// # Errors
/// [`PrefixError`] if the prefix is not that of the transport; the message must not be sent.
pub fn tm_security_name(
    domain: TransportDomain,
    security_name: &[u8],
    use_prefix: bool,
) -> Result<&[u8], PrefixError> {
    if !use_prefix {
        return Ok(security_name);
    }
    //= rfc5591#4.2-2a
    let prefix = prefix_of(domain).ok_or(PrefixError::Unknown)?;
    //= rfc5591#4.2-2b
    //= rfc5591#4.2-2c
    let name = security_name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix(b":"));
    name.filter(|name| !name.is_empty()).ok_or(PrefixError::Invalid)
}

/// The reason why the prefix of a securityName cannot be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrefixError {
    /// No prefix is defined for the transport. Counted in snmpTsmUnknownPrefixes.
    Unknown,
    /// The securityName has no prefix, or that of another transport. Counted in
    /// snmpTsmInvalidPrefixes.
    Invalid,
}

impl PrefixError {
    /// Returns the counter of this error.
    pub fn counter(self) -> Counter {
        match self {
            Self::Unknown => Counter::SnmpTsmUnknownPrefixes,
            Self::Invalid => Counter::SnmpTsmInvalidPrefixes,
        }
    }
}

impl fmt::Display for PrefixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "snmpTsmConfigurationUsePrefix is true, but the transport has no prefix",
            Self::Invalid => {
                "snmpTsmConfigurationUsePrefix is true, but the securityName does not begin with the prefix of the transport"
            }
        })
    }
}

impl std::error::Error for PrefixError {}

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
