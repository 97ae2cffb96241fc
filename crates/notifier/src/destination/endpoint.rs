//! The address of a target, and the session with which it is reached.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
    path::Path,
    sync::Arc,
    time::Duration,
};

use portreeve_broker_protocol::{SessionOption, SessionRequest, Transport};
use portreeve_channel::Fingerprint;
use portreeve_lcd::{Lcd, TlsAddressKey};
use portreeve_mib::modules::{
    snmpv2_tm::SNMP_UDP_DOMAIN,
    ssh_tm_mib::SNMP_SSH_DOMAIN,
    tls_tm_mib::{SNMP_DTLS_UDP_DOMAIN, SNMP_TLS_TCP_DOMAIN},
    transport_address_mib::{
        TRANSPORT_DOMAIN_TCP_IPV4, TRANSPORT_DOMAIN_TCP_IPV6, TRANSPORT_DOMAIN_UDP_IPV4,
        TRANSPORT_DOMAIN_UDP_IPV6,
    },
};
use portreeve_smi::{SecurityModel, TransportDomain};
use portreeve_snmp_engine::security::tsm::tm_security_name;

use super::{DestinationError, TargetRows, client_certificate::ClientCertificate};
use crate::{NotifierSettings, SessionCredentials};

/// The place where messages to a target are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Udp(SocketAddr),
    Tcp(SocketAddr),
    Secure(Box<SecureEndpoint>),
}

/// A session over SSH, TLS or DTLS. Two of them are compared without reading any file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SecureEndpoint {
    /// The session, without the certificate of this engine.
    pub(crate) request: SessionRequest,
    pub(crate) certificate: ClientCertificate,
}

impl SecureEndpoint {
    /// Returns the paths of the files with which the session is opened.
    pub(crate) fn files(&self) -> Vec<String> {
        let certificates = self.certificate.files().map(|file| file.display().to_string());
        let options = self.request.options.iter().filter_map(|(option, value)| match option {
            SessionOption::Home => Some(format!("{value}/.ssh/config")),
            SessionOption::SshIdentity | SessionOption::KnownHosts | SessionOption::Authority => {
                Some(value.clone())
            }
            _ => None,
        });
        certificates.chain(options).collect()
    }
}

impl Endpoint {
    /// Returns whether messages can overtake each other or be lost.
    pub(crate) fn loses_messages(&self) -> bool {
        match self {
            Self::Udp(_) => true,
            Self::Tcp(_) => false,
            Self::Secure(secure) => secure.request.transport == Transport::Dtls,
        }
    }

    /// Returns the maximum length of a message, if the transport limits it further than the engine.
    pub(crate) fn max_message_len(&self) -> Option<usize> {
        match self {
            Self::Secure(secure) if secure.request.transport == Transport::Dtls => Some(MAX_DTLS_MESSAGE_LEN),
            _ => None,
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Udp(address) => write!(f, "udp:{address}"),
            Self::Tcp(address) => write!(f, "tcp:{address}"),
            Self::Secure(secure) => {
                let request = &secure.request;
                let transport = match request.transport {
                    Transport::Ssh => "ssh",
                    Transport::Tls => "tls",
                    Transport::Dtls => "dtls",
                };
                write!(f, "{transport}:{}:{}", request.host.escape_debug(), request.port)
            }
        }
    }
}

/// Returns the place where messages to a target are sent.
pub(crate) fn endpoint(
    lcd: &Lcd,
    rows: &TargetRows,
    settings: &NotifierSettings,
    open_timeout: Duration,
) -> Result<Endpoint, DestinationError> {
    let row = &rows.address;
    let is = |object: &portreeve_mib::Object| *row.domain == *object.oid();
    let domain = if is(&SNMP_UDP_DOMAIN) || is(&TRANSPORT_DOMAIN_UDP_IPV4) || is(&TRANSPORT_DOMAIN_UDP_IPV6) {
        TransportDomain::Udp
    } else if is(&TRANSPORT_DOMAIN_TCP_IPV4) || is(&TRANSPORT_DOMAIN_TCP_IPV6) {
        TransportDomain::Tcp
    } else if is(&SNMP_SSH_DOMAIN) {
        TransportDomain::Ssh
    } else if is(&SNMP_TLS_TCP_DOMAIN) {
        TransportDomain::Tls
    } else if is(&SNMP_DTLS_UDP_DOMAIN) {
        TransportDomain::Dtls
    } else {
        return Err(DestinationError::UnknownDomain);
    };
    let name = &rows.params.security_name;
    let name = match rows.params.security_model == SecurityModel::TSM {
        true => tm_security_name(domain, name, lcd.scalars().tsm_use_prefix.enabled)
            .map_err(DestinationError::Prefix)?,
        false if domain.is_secure() => return Err(DestinationError::SecureTransport),
        false => name,
    };
    let session = |transport| {
        let own = settings.targets.get(&rows.address.key.name).map(|own| &own.credentials);
        let own = own.unwrap_or(&settings.credentials);
        let of_agent = &settings.credentials;
        let (options, certificate) = match transport {
            Transport::Ssh => {
                (ssh_options(own.ssh_or(of_agent), &settings.home), ClientCertificate::default())
            }
            Transport::Tls | Transport::Dtls => (
                tls_options(lcd, rows, own, of_agent)?,
                ClientCertificate::of(lcd, &rows.params.key.name, own, of_agent)?,
            ),
        };
        let request = session_request(rows, name, transport, options, open_timeout)?;
        Ok(Endpoint::Secure(Box::new(SecureEndpoint { request, certificate })))
    };
    Ok(match domain {
        TransportDomain::Ssh => session(Transport::Ssh)?,
        TransportDomain::Tls => session(Transport::Tls)?,
        TransportDomain::Dtls => session(Transport::Dtls)?,
        _ if rows.params.security_model == SecurityModel::TSM => {
            return Err(DestinationError::InsecureTransport);
        }
        TransportDomain::Tcp => Endpoint::Tcp(socket_address(&row.address)?),
        _ => Endpoint::Udp(socket_address(&row.address)?),
    })
}

fn session_request(
    rows: &TargetRows,
    tm_security_name: &[u8],
    transport: Transport,
    options: Vec<(SessionOption, String)>,
    timeout: Duration,
) -> Result<SessionRequest, DestinationError> {
    let text = str::from_utf8(&rows.address.address).map_err(|_| DestinationError::InvalidAddress)?;
    let (user, host, port) = split_address(text).ok_or(DestinationError::InvalidAddress)?;
    let user = match (transport, user) {
        //= rfc5592#5.3-3a
        (Transport::Ssh, Some(user)) => user,
        // An empty name would make the SSH client choose a user.
        (Transport::Ssh, None) => str::from_utf8(tm_security_name)
            .ok()
            .filter(|name| !name.is_empty())
            .ok_or(DestinationError::InvalidUserName)?,
        // The certificate is the identity.
        (Transport::Tls | Transport::Dtls, _) => "",
    };
    Ok(SessionRequest {
        persist: Duration::ZERO,
        timeout,
        transport,
        user: user.to_owned(),
        host: host.to_owned(),
        port,
        family: None,
        options,
    })
}

fn ssh_options(
    (key, known_hosts): (Option<&Path>, Option<&Path>),
    home: &Path,
) -> Vec<(SessionOption, String)> {
    let path = |path: &Path| path.display().to_string();
    let mut options = vec![(SessionOption::Home, path(home))];
    options.extend(key.map(|key| (SessionOption::SshIdentity, path(key))));
    let known_hosts = known_hosts.unwrap_or(Path::new(SYSTEM_KNOWN_HOSTS));
    options.push((SessionOption::KnownHosts, path(known_hosts)));
    // No user verifies a new host key, so /etc/ssh/ssh_config must not accept one.
    options.push((SessionOption::KnownHostsOnly, "yes".to_owned()));
    options
}

fn tls_options(
    lcd: &Lcd,
    rows: &TargetRows,
    own: &SessionCredentials,
    of_agent: &SessionCredentials,
) -> Result<Vec<(SessionOption, String)>, DestinationError> {
    let path = |path: &Path| path.display().to_string();
    let mut options = Vec::new();
    let key = TlsAddressKey { address_name: Arc::clone(&rows.address.key.name) };
    let identity = lcd.tables().tls_addresses.get(&key).filter(|row| row.is_active());
    match identity {
        //= rfc6353#5.3.1-4
        Some(row) if !row.server_fingerprint.is_empty() => {
            let pin = Fingerprint::from_octets(&row.server_fingerprint);
            let pin = pin.map_err(|_| DestinationError::InvalidFingerprint)?;
            options.push((SessionOption::Pin, pin.to_string()));
        }
        _ => {
            let authorities = own.authorities_or(of_agent).iter();
            options.extend(authorities.map(|file| (SessionOption::Authority, path(file))));
            let name = identity.and_then(|row| str::from_utf8(&row.server_identity).ok());
            let name = name.filter(|name| !name.is_empty());
            options.extend(name.map(|name| (SessionOption::ServerName, name.to_owned())));
        }
    }
    Ok(options)
}

/// Splits `[user@]host:port`; an IPv6 address is in brackets (RFC 5592 §7, RFC 6353 §7).
fn split_address(text: &str) -> Option<(Option<&str>, &str, u16)> {
    let (user, place) = match text.rsplit_once('@') {
        Some((user, place)) => (Some(user), place),
        None => (None, text),
    };
    let (host, port) = place.rsplit_once(':')?;
    let host = host.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(host);
    let port = port.parse().ok().filter(|port| *port != 0)?;
    (!host.is_empty() && user != Some("")).then_some((user, host, port))
}

/// Returns the address that 6 or 18 octets represent.
fn socket_address(octets: &[u8]) -> Result<SocketAddr, DestinationError> {
    let invalid = DestinationError::InvalidAddress;
    let (address, port) = octets.split_last_chunk::<2>().ok_or(invalid.clone())?;
    let address: IpAddr = match (<[u8; 4]>::try_from(address), <[u8; 16]>::try_from(address)) {
        (Ok(octets), _) => octets.into(),
        (_, Ok(octets)) => octets.into(),
        _ => return Err(invalid),
    };
    match u16::from_be_bytes(*port) {
        0 => Err(invalid),
        port => Ok(SocketAddr::new(address, port)),
    }
}

/// The maximum content of a DTLS record (RFC 6347 §4.1), which contains one message.
const MAX_DTLS_MESSAGE_LEN: usize = 1 << 14;
const SYSTEM_KNOWN_HOSTS: &str = "/etc/ssh/ssh_known_hosts";

#[cfg(test)]
mod tests;
