//! The address and the credentials with which a target of the tables is reached.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
    path::Path,
    sync::Arc,
    time::Duration,
};

use portreeve_broker_protocol::{SessionOption, SessionRequest, Transport};
use portreeve_lcd::{Credential, Lcd, TargetAddressRow, TargetParamsRow, TlsAddressKey, UserRow};
use portreeve_mib::modules::{
    snmpv2_tm::SNMP_UDP_DOMAIN,
    ssh_tm_mib::SNMP_SSH_DOMAIN,
    tls_tm_mib::{SNMP_DTLS_UDP_DOMAIN, SNMP_TLS_TCP_DOMAIN},
    transport_address_mib::{
        TRANSPORT_DOMAIN_TCP_IPV4, TRANSPORT_DOMAIN_TCP_IPV6, TRANSPORT_DOMAIN_UDP_IPV4,
        TRANSPORT_DOMAIN_UDP_IPV6,
    },
};
use portreeve_smi::{EngineId, MessageProcessingModel, SecurityLevel, SecurityModel};
use portreeve_snmp_engine::security::usm::{are_protocols_allowed, auth_protocol, priv_protocol};
use portreeve_snmp_manager::{Credentials, KeyMaterial, Secret, UsmUser};

use crate::{NotifierSettings, SessionCredentials};

/// The rows of a target. They are compared to find out whether a session still fits.
#[derive(Clone)]
pub(crate) struct TargetRows {
    pub(crate) address: Arc<TargetAddressRow>,
    pub(crate) params: Arc<TargetParamsRow>,
    /// The community, for SNMPv1 and SNMPv2c.
    pub(crate) community: Option<Arc<portreeve_lcd::CommunityRow>>,
}

impl TargetRows {
    /// Returns whether these are the same versions of the same rows.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let same_community = match (&self.community, &other.community) {
            (Some(own), Some(others)) => Arc::ptr_eq(own, others),
            (own, others) => own.is_none() && others.is_none(),
        };
        Arc::ptr_eq(&self.address, &other.address)
            && Arc::ptr_eq(&self.params, &other.params)
            && same_community
    }

    pub(crate) fn is_v1(&self) -> bool {
        self.params.mp_model == MessageProcessingModel::V1
    }
}

/// The place where messages to a target are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Udp(SocketAddr),
    Tcp(SocketAddr),
    Secure(Box<SessionRequest>),
}

impl Endpoint {
    /// Returns whether messages can overtake each other or be lost.
    pub(crate) fn loses_messages(&self) -> bool {
        match self {
            Self::Udp(_) => true,
            Self::Tcp(_) => false,
            Self::Secure(request) => request.transport == Transport::Dtls,
        }
    }

    /// Returns whether the messages are protected by the transport.
    pub(crate) fn is_secure(&self) -> bool {
        matches!(self, Self::Secure(_))
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Udp(address) => write!(f, "udp:{address}"),
            Self::Tcp(address) => write!(f, "tcp:{address}"),
            Self::Secure(request) => {
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

/// The reason why nothing can be sent to a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DestinationError {
    UnknownDomain,
    InvalidAddress,
    InsecureTransport,
    SecureTransport,
    NoUser,
    LevelNotSupported,
    NoBoots,
}

impl fmt::Display for DestinationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownDomain => "the transport domain is not supported",
            Self::InvalidAddress => "the address is not one of its transport domain",
            Self::InsecureTransport => "TSM needs a target over SSH, TLS or DTLS",
            Self::SecureTransport => "only TSM can be used over SSH, TLS and DTLS",
            Self::NoUser => "the user does not exist, or its keys for the receiver are not known",
            Self::LevelNotSupported => "the user has no keys for the security level",
            Self::NoBoots => "snmpEngineBoots could not be stored",
        })
    }
}

impl std::error::Error for DestinationError {}

/// Returns the place where messages to a target are sent.
pub(crate) fn endpoint(
    lcd: &Lcd,
    rows: &TargetRows,
    settings: &NotifierSettings,
    open_timeout: Duration,
) -> Result<Endpoint, DestinationError> {
    let row = &rows.address;
    let is = |object: &portreeve_mib::Object| *row.domain == *object.oid();
    let endpoint = if is(&SNMP_UDP_DOMAIN) || is(&TRANSPORT_DOMAIN_UDP_IPV4) || is(&TRANSPORT_DOMAIN_UDP_IPV6)
    {
        Endpoint::Udp(socket_address(&row.address)?)
    } else if is(&TRANSPORT_DOMAIN_TCP_IPV4) || is(&TRANSPORT_DOMAIN_TCP_IPV6) {
        Endpoint::Tcp(socket_address(&row.address)?)
    } else {
        let transport = if is(&SNMP_SSH_DOMAIN) {
            Transport::Ssh
        } else if is(&SNMP_TLS_TCP_DOMAIN) {
            Transport::Tls
        } else if is(&SNMP_DTLS_UDP_DOMAIN) {
            Transport::Dtls
        } else {
            return Err(DestinationError::UnknownDomain);
        };
        Endpoint::Secure(Box::new(session_request(lcd, rows, settings, transport, open_timeout)?))
    };
    match (endpoint.is_secure(), rows.params.security_model == SecurityModel::TSM) {
        (false, true) => Err(DestinationError::InsecureTransport),
        (true, false) => Err(DestinationError::SecureTransport),
        _ => Ok(endpoint),
    }
}

fn session_request(
    lcd: &Lcd,
    rows: &TargetRows,
    settings: &NotifierSettings,
    transport: Transport,
    timeout: Duration,
) -> Result<SessionRequest, DestinationError> {
    let text = str::from_utf8(&rows.address.address).map_err(|_| DestinationError::InvalidAddress)?;
    let (user, host, port) = split_address(text).ok_or(DestinationError::InvalidAddress)?;
    let own = settings.targets.get(&rows.address.key.name);
    let credentials = own.map(|own| own.credentials.or(&settings.credentials));
    let credentials = credentials.as_ref().unwrap_or(&settings.credentials);
    let security_name = str::from_utf8(&rows.params.security_name).unwrap_or_default();
    let (user, options) = match transport {
        //= rfc5592#5.2-1
        Transport::Ssh => (user.unwrap_or(security_name), ssh_options(credentials, &settings.home)),
        Transport::Tls | Transport::Dtls => ("", tls_options(lcd, rows, credentials)?),
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

fn ssh_options(credentials: &SessionCredentials, home: &Path) -> Vec<(SessionOption, String)> {
    let path = |path: &Path| path.display().to_string();
    let mut options = vec![(SessionOption::Home, path(home))];
    options.extend(credentials.ssh_key.as_deref().map(|key| (SessionOption::SshIdentity, path(key))));
    let known_hosts = credentials.known_hosts.as_deref().unwrap_or(Path::new(SYSTEM_KNOWN_HOSTS));
    options.push((SessionOption::KnownHosts, path(known_hosts)));
    options
}

fn tls_options(
    lcd: &Lcd,
    rows: &TargetRows,
    credentials: &SessionCredentials,
) -> Result<Vec<(SessionOption, String)>, DestinationError> {
    let path = |path: &Path| path.display().to_string();
    let mut options = Vec::new();
    options.extend(credentials.certificate.as_deref().map(|file| (SessionOption::Certificate, path(file))));
    options.extend(credentials.key.as_deref().map(|file| (SessionOption::PrivateKey, path(file))));
    let key = TlsAddressKey { address_name: Arc::clone(&rows.address.key.name) };
    let identity = lcd.tables().tls_addresses.get(&key).filter(|row| row.is_active());
    match identity {
        //= rfc6353#5.3.1-4
        Some(row) if !row.server_fingerprint.is_empty() => {
            let pin = fingerprint(&row.server_fingerprint).ok_or(DestinationError::InvalidAddress)?;
            options.push((SessionOption::Pin, pin));
        }
        _ => {
            let authorities = credentials.authorities.iter();
            options.extend(authorities.map(|file| (SessionOption::Authority, path(file))));
            let name = identity.and_then(|row| str::from_utf8(&row.server_identity).ok());
            let name = name.filter(|name| !name.is_empty());
            options.extend(name.map(|name| (SessionOption::ServerName, name.to_owned())));
        }
    }
    Ok(options)
}

/// Returns the text of an SnmpTLSFingerprint: the number of the hash algorithm, then the hash.
fn fingerprint(octets: &[u8]) -> Option<String> {
    let (algorithm, hash) = octets.split_first()?;
    let name = match algorithm {
        2 => "sha1",
        4 => "sha256",
        5 => "sha384",
        6 => "sha512",
        _ => return None,
    };
    let hash: Vec<_> = hash.iter().map(|octet| format!("{octet:02X}")).collect();
    Some(format!("{name}:{}", hash.join(":")))
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

/// The engine that is authoritative for a message, to which the user's keys are localized (RFC 3414
/// §1.5.1).
#[derive(Clone, Copy)]
pub(crate) enum Authoritative {
    /// The local engine, for a trap.
    Local(EngineId),
    /// The receiver of an inform, whose engine ID is not known yet.
    Receiver {
        /// The local engine.
        local: EngineId,
    },
}

/// Returns the credentials for messages to a target.
pub(crate) fn credentials(
    lcd: &Lcd,
    rows: &TargetRows,
    settings: &NotifierSettings,
    engine: Authoritative,
) -> Result<Credentials, DestinationError> {
    let community = || {
        let name = rows.community.as_ref().map(|row| row.name.to_vec());
        Secret::new(name.unwrap_or_default())
    };
    let params = &rows.params;
    match (params.mp_model, params.security_model) {
        (MessageProcessingModel::V1, _) => return Ok(Credentials::V1(community())),
        (MessageProcessingModel::V2c, _) => return Ok(Credentials::V2c(community())),
        (MessageProcessingModel::V3, SecurityModel::TSM) => return Ok(Credentials::Transport),
        _ => {}
    }
    let user = usm_user(lcd, params, settings, engine)?;
    match user.limited_to(params.security_level) {
        user if user.level() == params.security_level => Ok(Credentials::V3(user)),
        _ => Err(DestinationError::LevelNotSupported),
    }
}

fn usm_user(
    lcd: &Lcd,
    params: &TargetParamsRow,
    settings: &NotifierSettings,
    engine: Authoritative,
) -> Result<UsmUser, DestinationError> {
    let name = &params.security_name;
    if params.security_level == SecurityLevel::NoAuthNoPriv {
        return Ok(UsmUser::unauthenticated(name));
    }
    if matches!(engine, Authoritative::Receiver { .. })
        && let Some(user) = settings.users.get(&**name)
    {
        return Ok(user.duplicate());
    }
    let users = lcd.tables().users.active();
    let allowed = &lcd.tables().allowed_weaknesses;
    let mut rows = users.filter(|row| row.security_name == *name && are_protocols_allowed(row, allowed));
    let row = match engine {
        Authoritative::Local(local) => rows.find(|row| row.key.engine_id == local),
        // The row of another engine is that of the receiver.
        Authoritative::Receiver { local } => rows.find(|row| row.key.engine_id != local),
    };
    localized_user(row.ok_or(DestinationError::NoUser)?).ok_or(DestinationError::NoUser)
}

fn localized_user(row: &UserRow) -> Option<UsmUser> {
    let auth = row.auth.as_deref()?;
    let privacy = match row.privacy.as_deref() {
        Some(privacy) => Some((priv_protocol(&privacy.protocol)?, key(privacy))),
        None => None,
    };
    UsmUser::with_keys(&row.key.name, (auth_protocol(&auth.protocol)?, key(auth)), privacy).ok()
}

fn key(credential: &Credential) -> KeyMaterial<'_> {
    KeyMaterial::Localized(&credential.key)
}

const SYSTEM_KNOWN_HOSTS: &str = "/etc/ssh/ssh_known_hosts";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_in_text_has_a_host_and_a_port() {
        for (text, expected) in [
            ("192.0.2.1:5162", Some((None, "192.0.2.1", 5162))),
            ("traps@noc.example:22", Some((Some("traps"), "noc.example", 22))),
            ("[2001:db8::1]:10162", Some((None, "2001:db8::1", 10162))),
            ("a@b@host:1", Some((Some("a@b"), "host", 1))),
            ("noc.example", None),
            ("noc.example:0", None),
            (":162", None),
            ("@host:162", None),
        ] {
            assert_eq!(split_address(text), expected, "{text}");
        }
    }

    #[test]
    fn address_in_octets_has_the_length_of_its_family() {
        let v4 = socket_address(&[192, 0, 2, 1, 0, 162]).unwrap();
        assert_eq!(v4, "192.0.2.1:162".parse().unwrap());
        let mut octets = [0; 18];
        (octets[15], octets[17]) = (1, 162);
        assert_eq!(socket_address(&octets).unwrap(), "[::1]:162".parse().unwrap());
        for invalid in [&[][..], &[0, 162], &[192, 0, 2, 1, 0, 0], &[0; 7]] {
            assert_eq!(socket_address(invalid), Err(DestinationError::InvalidAddress));
        }
    }

    #[test]
    fn fingerprint_names_its_algorithm() {
        assert_eq!(fingerprint(&[4, 0xab, 0x01]).unwrap(), "sha256:AB:01");
        assert_eq!(fingerprint(&[1, 0xab]), None, "MD5 is not accepted");
        assert_eq!(fingerprint(&[]), None);
    }
}
