use super::*;

#[test]
fn source_network_is_converted_to_address_and_mask_for_any_port() {
    for (text, address, mask) in [
        ("192.0.2.0/24", vec![192, 0, 2, 0, 0, 0], vec![255, 255, 255, 0, 0, 0]),
        ("192.0.2.7", vec![192, 0, 2, 7, 0, 0], vec![255, 255, 255, 255, 0, 0]),
        ("10.128.0.0/9", vec![10, 128, 0, 0, 0, 0], vec![255, 128, 0, 0, 0, 0]),
        ("0.0.0.0/0", vec![0; 6], vec![0; 6]),
        (
            "2001:db8::/33",
            [vec![0x20, 1, 0x0d, 0xb8], vec![0; 14]].concat(),
            [vec![255, 255, 255, 255, 128], vec![0; 13]].concat(),
        ),
    ] {
        let network = Network::parse(text).unwrap();
        assert_eq!((network.address(), network.mask()), (address, mask), "{text}");
    }
}

#[test]
fn parse_rejects_invalid_networks() {
    for text in [
        "",
        "example.org",
        "192.0.2.0/33",
        "::/129",
        "192.0.2.0/",
        "192.0.2.0/+8",
        "192.0.2.0/-1",
        "192.0.2/24",
    ] {
        assert!(Network::parse(text).is_err(), "{text}");
    }
    let wrong = Network::parse("192.0.2.7/24").unwrap_err();
    assert_eq!(wrong, "is a host address; its network is 192.0.2.0/24");
}
