use super::*;

fn attribute(kind: u16, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(4 + content.len()).unwrap();
    let mut octets = [length.to_ne_bytes(), kind.to_ne_bytes()].concat();
    octets.extend(content);
    octets.resize(octets.len().next_multiple_of(4), 0);
    octets
}

fn message(index: u32, hardware: u16, flags: u32, attributes: &[Vec<u8>]) -> Vec<u8> {
    let mut octets = vec![0; 2];
    octets.extend(hardware.to_ne_bytes());
    octets.extend(index.to_ne_bytes());
    octets.extend(flags.to_ne_bytes());
    octets.extend([0; 4]);
    octets.extend(attributes.concat());
    octets
}

#[test]
fn link_message_replaces_all_previous_fields() {
    let stats: Vec<u8> = (0..25u64).flat_map(|nth| (100 + nth).to_ne_bytes()).collect();
    let full = message(
        7,
        1,
        IFF_UP | IFF_RUNNING,
        &[
            attribute(IFLA_IFNAME, b"vlan7\0"),
            attribute(IFLA_IFALIAS, b"to the roof\0"),
            attribute(IFLA_ADDRESS, &[2, 0, 0, 0, 0, 7]),
            attribute(IFLA_MTU, &1496u32.to_ne_bytes()),
            attribute(IFLA_LINK, &2u32.to_ne_bytes()),
            attribute(IFLA_MASTER, &3u32.to_ne_bytes()),
            attribute(IFLA_OPERSTATE, &[6]),
            attribute(IFLA_CARRIER_CHANGES, &5u32.to_ne_bytes()),
            attribute(IFLA_PROMISCUITY, &1u32.to_ne_bytes()),
            attribute(IFLA_PARENT_DEV_NAME, b"0000:00:1f.6\0"),
            attribute(IFLA_LINKINFO | 0x8000, &attribute(IFLA_INFO_KIND, b"vlan\0")),
            attribute(IFLA_STATS64, &stats),
            attribute(999, b"unknown attribute"),
        ],
    );
    let mut link = Link::default();
    link.read(&full).unwrap();
    let expected = Link {
        index: 7,
        hardware: 1,
        kind: LinkKind::Vlan,
        name: b"vlan7".to_vec(),
        alias: b"to the roof".to_vec(),
        address: vec![2, 0, 0, 0, 0, 7],
        mtu: 1496,
        admin_up: true,
        status: OperStatus::Up,
        carrier_changes: 5,
        promiscuous: true,
        device: true,
        master: Some(3),
        lower: Some(2),
        speed: 0,
        counters: Counters {
            in_packets: 100,
            out_packets: 101,
            in_octets: 102,
            out_octets: 103,
            in_errors: 104,
            out_errors: 105,
            in_discards: 106,
            out_discards: 107,
            in_multicast: 108,
            in_unknown_protocols: 123,
        },
    };
    assert_eq!(link, expected);

    link.read(&message(8, 772, 0, &[])).unwrap();
    let bare = Link { index: 8, hardware: 772, status: OperStatus::Down, ..Link::default() };
    assert_eq!(link, bare);
}

#[test]
fn truncated_link_message_is_rejected_only_if_header_is_incomplete() {
    let whole =
        message(1, 1, IFF_UP, &[attribute(IFLA_IFNAME, b"eth0\0"), attribute(IFLA_MTU, &[0, 5, 0, 0])]);
    for length in 0..whole.len() {
        let read = Link::default().read(&whole[..length]);
        assert_eq!(read.is_some(), length >= LINK_HEADER, "{length} octets");
    }
}

#[test]
fn oper_status_is_kernel_state_or_derived_from_flags_if_unknown() {
    for (state, flags, status) in [
        (0, IFF_UP | IFF_RUNNING, OperStatus::Up),
        (0, IFF_UP, OperStatus::Unknown),
        (0, 0, OperStatus::Down),
        (1, 0, OperStatus::NotPresent),
        (2, IFF_UP, OperStatus::Down),
        (3, IFF_UP, OperStatus::LowerLayerDown),
        (4, IFF_UP, OperStatus::Testing),
        (5, IFF_UP, OperStatus::Dormant),
        (6, IFF_UP, OperStatus::Up),
        (77, IFF_UP, OperStatus::Unknown),
    ] {
        assert_eq!(OperStatus::from_kernel(state, flags), status, "state {state}, flags {flags:#x}");
    }
}

#[test]
fn lower_link_is_ignored_if_in_other_namespace_or_the_link_itself() {
    let mut link = Link::default();
    let below = attribute(IFLA_LINK, &2u32.to_ne_bytes());
    link.read(&message(9, 1, 0, &[below.clone(), attribute(IFLA_LINK_NETNSID, &[0; 4])])).unwrap();
    assert_eq!(link.lower, None);
    link.read(&message(2, 1, 0, &[below])).unwrap();
    assert_eq!(link.lower, None, "a link is not below itself");
}
