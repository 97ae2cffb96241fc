use super::*;

#[test]
fn if_type_and_physical_address_match_link_kind_and_hardware() {
    for (hardware, kind, expected, has_address) in [
        (1, LinkKind::Other, ETHERNET_CSMACD, true),
        (1, LinkKind::Pair, ETHERNET_CSMACD, true),
        (1, LinkKind::Vlan, L2_VLAN, true),
        (1, LinkKind::Bridge, BRIDGE, true),
        (1, LinkKind::Aggregate, LAG, true),
        (1, LinkKind::Overlay, TUNNEL, true),
        (772, LinkKind::Other, SOFTWARE_LOOPBACK, false),
        (512, LinkKind::Other, PPP, false),
        (776, LinkKind::Other, TUNNEL, false),
        (0xfffe, LinkKind::Other, TUNNEL, false),
        (32, LinkKind::Other, INFINIBAND, true),
        (801, LinkKind::Other, IEEE80211, true),
        (9999, LinkKind::Other, OTHER, true),
    ] {
        let link = Link { hardware, kind, ..Link::default() };
        assert_eq!(
            (if_type(&link), has_physical_address(&link)),
            (expected, has_address),
            "{hardware} {kind:?}"
        );
    }
}
