use portreeve_channel::HashAlgorithm;
use portreeve_lcd::{
    StorageType, Tables, TargetAddressKey, TargetAddressRow, TargetParamsKey, TargetParamsRow, TlsParamsKey,
    TlsParamsRow,
};
use portreeve_smi::Oid;
use portreeve_snmp_engine::security::tsm::PrefixError;

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
fn ssh_user_is_in_the_address_or_the_security_name_without_its_prefix() {
    let user = |address: &str, name: &[u8], use_prefix| {
        endpoint_of(&SNMP_SSH_DOMAIN, address.as_bytes(), SecurityModel::TSM, name, use_prefix).map(
            |endpoint| {
                let Endpoint::Secure(secure) = endpoint else { panic!("{endpoint:?}") };
                secure.request.user
            },
        )
    };
    let host = "192.0.2.1:5162";
    assert_eq!(user(host, b"agent1", false).as_deref(), Ok("agent1"));
    assert_eq!(user(host, b"ssh:agent1", true).as_deref(), Ok("agent1"));
    assert_eq!(user("root@192.0.2.1:5162", b"ssh:agent1", true).as_deref(), Ok("root"));
    assert_eq!(user(host, b"tls:agent1", true), Err(DestinationError::Prefix(PrefixError::Invalid)));
    // An empty name would make the SSH client choose a user.
    for name in [&b""[..], b"\xff"] {
        assert_eq!(user(host, name, false), Err(DestinationError::InvalidUserName));
    }
}

#[test]
fn security_model_must_fit_the_transport() {
    let udp = &TRANSPORT_DOMAIN_UDP_IPV4;
    let address = &[192, 0, 2, 1, 0, 162];
    let usm = endpoint_of(udp, address, SecurityModel::USM, b"ops", true).unwrap();
    assert_eq!(usm.to_string(), "udp:192.0.2.1:162");
    let of_tsm = |use_prefix| endpoint_of(udp, address, SecurityModel::TSM, b"ops", use_prefix);
    assert_eq!(of_tsm(false), Err(DestinationError::InsecureTransport));
    assert_eq!(of_tsm(true), Err(DestinationError::Prefix(PrefixError::Unknown)));
    let over_tls = endpoint_of(&SNMP_TLS_TCP_DOMAIN, b"192.0.2.1:10162", SecurityModel::USM, b"ops", false);
    assert_eq!(over_tls, Err(DestinationError::SecureTransport));
}

#[test]
fn endpoint_with_a_required_fingerprint_is_found_without_reading_its_files() {
    let mut tables = Tables::default();
    let mut tls = TlsParamsRow::new(TlsParamsKey { params_name: b"noc"[..].into() });
    tls.columns.client_fingerprint =
        Fingerprint::from_hash(HashAlgorithm::Sha256, &[7; 32]).to_octets().into();
    tables.insert(tls.into_active(StorageType::ReadOnly));
    let files = ["missing.pem", "missing.key"].map(|file| Some(file.into()));
    let [certificate, key] = files;
    let credentials = SessionCredentials { certificate, key, ..SessionCredentials::default() };
    let settings = NotifierSettings { credentials, ..NotifierSettings::default() };
    let rows = rows(&SNMP_TLS_TCP_DOMAIN, b"192.0.2.1:10162", SecurityModel::TSM, b"ops");
    let found = endpoint(&Lcd::compile(tables), &rows, &settings, Duration::from_secs(1)).unwrap();
    let Endpoint::Secure(secure) = found else { panic!("{found:?}") };
    assert_eq!(secure.files(), ["missing.pem", "missing.key"]);
    assert_eq!(secure.certificate.find(), Err(DestinationError::NoCertificate));
}

fn endpoint_of(
    domain: &portreeve_mib::Object,
    address: &[u8],
    model: SecurityModel,
    security_name: &[u8],
    use_prefix: bool,
) -> Result<Endpoint, DestinationError> {
    let mut tables = Tables::default();
    tables.scalars.tsm_use_prefix.enabled = use_prefix;
    let rows = rows(domain, address, model, security_name);
    endpoint(&Lcd::compile(tables), &rows, &NotifierSettings::default(), Duration::from_secs(1))
}

fn rows(
    domain: &portreeve_mib::Object,
    address: &[u8],
    model: SecurityModel,
    security_name: &[u8],
) -> TargetRows {
    let mut target = TargetAddressRow::new(TargetAddressKey { name: b"noc"[..].into() });
    target.columns.domain = Oid::new(domain.arcs()).unwrap();
    target.columns.address = address.into();
    let mut params = TargetParamsRow::new(TargetParamsKey { name: b"noc"[..].into() });
    params.columns.security_model = model;
    params.columns.security_name = security_name.into();
    TargetRows { address: Arc::new(target), params: Arc::new(params), community: None }
}
