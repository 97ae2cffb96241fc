use super::*;

#[test]
fn packet_dump_has_the_layout_of_net_snmp() {
    let octets: Vec<u8> = (0x1e..0x31).collect();
    let ends = Some(("127.0.0.1:40000".parse().unwrap(), "127.0.0.1:161".parse().unwrap()));
    let endpoints = dump::format_endpoints("UDP", ends);
    assert_eq!(
        dump::format_packet(WireMessage::Sent(&octets), &endpoints),
        "\nSending 19 bytes to UDP: [127.0.0.1]:161->[0.0.0.0]:40000\n\
         0000: 1E 1F 20 21  22 23 24 25  26 27 28 29  2A 2B 2C 2D    .. !\"#$%&'()*+,-\n\
         0016: 2E 2F 30                                              ./0\n"
    );
    assert!(
        dump::format_packet(WireMessage::Received(&octets), "x")
            .starts_with("\nReceived 19 byte packet from x\n")
    );
}

#[test]
fn debug_tokens_are_case_insensitive_and_token_all_enables_every_token() {
    let mut tokens = TokenSet::default();
    assert!(
        Token::add(&mut tokens, "send") && Token::add(&mut tokens, "USM") && !Token::add(&mut tokens, "frob")
    );
    assert!(tokens.contains(Token::Send) && tokens.contains(Token::Usm) && !tokens.contains(Token::Walk));
    assert!(Token::add(&mut tokens, "ALL") && tokens.contains(Token::Walk) && tokens.contains(Token::Parse));
}

#[test]
fn debug_summary_of_malformed_message_does_not_panic() {
    for octets in [&b""[..], b"\x30", b"\x30\x03\x02\x01\x03", b"\xff\xff\xff"] {
        assert!(message::summary(octets).ends_with("malformed message"), "{octets:?}");
        assert_eq!(message::usm_summary(octets), None);
    }
}
