use super::*;

#[test]
fn interface_is_the_word_after_dev() {
    let text = "198.51.100.7 via 192.0.2.1 dev eth0 src 192.0.2.2 uid 0 \n    cache \n";
    assert_eq!(interface_in(text), Some("eth0"));
    assert_eq!(interface_in("local 127.0.0.1 dev lo table local src 127.0.0.1"), Some("lo"));
    assert_eq!(interface_in("RTNETLINK answers: Network is unreachable"), None);
}
