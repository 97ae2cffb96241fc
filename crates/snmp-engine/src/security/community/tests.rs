use portreeve_lcd::{
    CommunityKey, CommunityRow, Lcd, Name, StorageType, Tables, TargetAddressKey, TargetAddressRow,
};
use portreeve_mib::modules::{
    snmpv2_tm::SNMP_UDP_DOMAIN,
    transport_address_mib::{
        TRANSPORT_DOMAIN_TCP_IPV4, TRANSPORT_DOMAIN_TCP_IPV6, TRANSPORT_DOMAIN_UDP_IPV4,
        TRANSPORT_DOMAIN_UDP_IPV6,
    },
};
use portreeve_smi::{Oid, TransportDomain};

use super::*;

fn name(octets: &[u8]) -> Name {
    octets.into()
}

fn local() -> EngineId {
    EngineId::new(b"\x80\0\0\0\x04agent").unwrap()
}

/// A community whose securityName is its index.
fn community(index: &str, community: &str) -> CommunityRow {
    let mut row = CommunityRow::new(CommunityKey { index: name(index.as_bytes()) });
    row.columns.name = name(community.as_bytes());
    row.columns.security_name = name(index.as_bytes());
    row
}

fn target(domain: &Object, address: &[u8], mask: &[u8], tags: &str) -> TargetAddressRow {
    let mut row = TargetAddressRow::new(TargetAddressKey { name: name(b"nms") });
    row.columns.domain = Oid::new(domain.arcs()).unwrap();
    row.columns.address = name(address);
    row.columns.mask = name(mask);
    row.columns.tag_list = name(tags.as_bytes());
    row
}

fn over(domain: TransportDomain, address: &str) -> TmStateReference {
    TmStateReference::unauthenticated(domain, TransportAddress::Ip(address.parse().unwrap()))
}

fn lcd(communities: Vec<CommunityRow>, targets: Vec<TargetAddressRow>) -> Lcd {
    let mut tables = Tables::default();
    communities.into_iter().for_each(|row| tables.insert(row.into_active(StorageType::ReadOnly)));
    targets.into_iter().for_each(|row| tables.insert(row.into_active(StorageType::ReadOnly)));
    Lcd::compile(tables)
}

/// Returns the securityName for a message with this community.
fn sender(lcd: &Lcd, community: &str, from: &TmStateReference) -> Result<Vec<u8>, RejectReason> {
    process_incoming_msg(lcd, &local(), community.as_bytes(), from).map(|row| row.security_name.to_vec())
}

/// Returns whether a message from this origin may use a community with the tag of `target`.
fn covered(target: TargetAddressRow, from: &TmStateReference) -> bool {
    let mut row = community("c", "public");
    row.columns.transport_tag = name(b"nms");
    sender(&lcd(vec![row], vec![target]), "public", from).is_ok()
}

//= rfc3584#5.2.1-p1
//= type=test
//= rfc3584#5.2.1-p3
//= type=test
#[test]
fn community_matches_exact_octets_only() {
    let lcd = lcd(vec![community("c1", "public"), community("c2", "")], vec![]);
    let udp = over(TransportDomain::Udp, "192.0.2.1:9");
    assert_eq!(sender(&lcd, "public", &udp), Ok(b"c1".to_vec()));
    assert_eq!(sender(&lcd, "", &udp), Ok(b"c2".to_vec()));
    for other in ["c1", "publi", "public\0", "Public"] {
        assert_eq!(sender(&lcd, other, &udp), Err(RejectReason::BadCommunityName));
    }
}

#[test]
fn community_with_foreign_context_engine_is_rejected() {
    let mut foreign = community("c1", "public");
    foreign.columns.context_engine_id = Some(EngineId::new(b"other").unwrap());
    let mut own = community("c2", "public");
    own.columns.context_engine_id = Some(local());
    let udp = over(TransportDomain::Udp, "192.0.2.1:9");
    assert_eq!(
        sender(&lcd(vec![foreign.clone()], vec![]), "public", &udp),
        Err(RejectReason::BadCommunityName)
    );
    assert_eq!(sender(&lcd(vec![foreign, own], vec![]), "public", &udp), Ok(b"c2".to_vec()));
}

#[test]
fn inactive_community_row_is_ignored() {
    let mut tables = Tables::default();
    tables.insert(community("c1", "public"));
    let udp = over(TransportDomain::Udp, "192.0.2.1:9");
    assert_eq!(sender(&Lcd::compile(tables), "public", &udp), Err(RejectReason::BadCommunityName));
}

//= rfc3584#5.2.1-p2
//= type=test
#[test]
fn community_with_transport_tag_accepts_only_addresses_with_that_tag() {
    let subnet = || target(&SNMP_UDP_DOMAIN, &[192, 0, 2, 0, 0, 161], &[255, 255, 255, 0, 0, 0], "lan nms");
    for (from, expected) in [
        ("192.0.2.1:40000", true),
        ("192.0.2.255:1", true),
        ("[::ffff:192.0.2.7]:5", true),
        ("192.0.3.1:40000", false),
        ("198.51.100.1:161", false),
        ("[2001:db8::1]:161", false),
    ] {
        assert_eq!(covered(subnet(), &over(TransportDomain::Udp, from)), expected, "{from}");
    }
    assert!(!covered(
        target(&SNMP_UDP_DOMAIN, &[192, 0, 2, 0, 0, 161], &[255, 255, 255, 0, 0, 0], "nmss lan"),
        &over(TransportDomain::Udp, "192.0.2.1:161")
    ));
    let mut orphan = community("c", "public");
    orphan.columns.transport_tag = name(b"unused");
    let lcd = lcd(vec![orphan], vec![subnet()]);
    assert!(sender(&lcd, "public", &over(TransportDomain::Udp, "192.0.2.1:161")).is_err());
}

#[test]
fn source_must_match_target_address_and_port_if_there_is_no_mask() {
    let exact = || target(&TRANSPORT_DOMAIN_UDP_IPV4, &[192, 0, 2, 1, 0, 161], &[], "nms");
    assert!(covered(exact(), &over(TransportDomain::Udp, "192.0.2.1:161")));
    assert!(!covered(exact(), &over(TransportDomain::Udp, "192.0.2.1:162")));
    assert!(!covered(exact(), &over(TransportDomain::Udp, "192.0.2.2:161")));
}

#[test]
fn tcp_target_rejects_udp_peers_but_udp_target_accepts_tcp_peers() {
    let v4 = [192, 0, 2, 1, 0, 161];
    let mut v6 = [0; 18];
    v6[..4].copy_from_slice(&[0x20, 0x01, 0x0d, 0xb8]);
    v6[15..].copy_from_slice(&[1, 0, 161]);
    for (domain, address, from_udp, from_tcp) in [
        (&SNMP_UDP_DOMAIN, &v4[..], true, true),
        (&TRANSPORT_DOMAIN_UDP_IPV4, &v4, true, true),
        (&TRANSPORT_DOMAIN_TCP_IPV4, &v4, false, true),
        (&TRANSPORT_DOMAIN_UDP_IPV6, &v6, true, true),
        (&TRANSPORT_DOMAIN_TCP_IPV6, &v6, false, true),
        (&TRANSPORT_DOMAIN_UDP_IPV6, &v4, false, false),
        (&TRANSPORT_DOMAIN_UDP_IPV4, &v6, false, false),
    ] {
        let peer = if address.len() == 6 { "192.0.2.1:161" } else { "[2001:db8::1]:161" };
        let row = || target(domain, address, &[], "nms");
        assert_eq!(covered(row(), &over(TransportDomain::Udp, peer)), from_udp, "{domain:?}");
        assert_eq!(covered(row(), &over(TransportDomain::Tcp, peer)), from_tcp, "{domain:?}");
    }
}

#[test]
fn community_with_transport_tag_rejects_unix_socket_peers() {
    let local = TmStateReference::unauthenticated(TransportDomain::Unix, TransportAddress::Local { uid: 0 });
    assert!(!covered(target(&SNMP_UDP_DOMAIN, &[0; 6], &[0; 6], "nms"), &local));
}
