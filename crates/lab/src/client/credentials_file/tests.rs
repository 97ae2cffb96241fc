use std::fs;

use super::{CredentialsFile, for_device};
use crate::client::{Carrier, Message, ProtocolStack};

fn read(text: &str) -> CredentialsFile {
    let directory = tempfile::tempdir().unwrap();
    let users = directory.path().join("users.tsv");
    fs::write(&users, "# users\nname\tlevel\tauth\nmd5\tauthNoPriv\tMD5\tsecret-phrase\t-\t-\n").unwrap();
    let path = directory.path().join("credentials.env");
    fs::write(&path, text.replace("USERS_FILE", &users.display().to_string())).unwrap();
    CredentialsFile::read(&path).ok().unwrap()
}

#[test]
fn user_is_found_by_its_algorithms() {
    let file = read(
        "PORTREEVE_UDP='192.0.2.1:161'\nPORTREEVE_USERS='USERS_FILE'\nPORTREEVE_USER=ops\n\
         PORTREEVE_AUTH=SHA-256\nPORTREEVE_AUTH_PASS='auth phrase'\nPORTREEVE_PRIV=AES\nPORTREEVE_PRIV_PASS='priv phrase'\n",
    );
    let user = |message| {
        let Message::Usm(auth, privacy) = message else { panic!("not a user") };
        file.user(auth, privacy).map(|user| user.name.clone()).ok()
    };
    assert_eq!(user(Message::USM_MD5).as_deref(), Some("md5"));
    assert_eq!(user(Message::USM_SHA256_AES128).as_deref(), Some("ops"));
    assert_eq!(user(Message::USM_SHA256), None);
    assert_eq!(user(Message::USM_SHA256_AES256), None);
}

#[test]
fn stack_is_rejected_with_the_name_of_the_missing_variable() {
    let file = read("PORTREEVE_UDP=192.0.2.1:161\nPORTREEVE_RO=public\nPORTREEVE_TLS=192.0.2.1:10161\n");
    assert!(file.check(ProtocolStack::v2c(Carrier::Udp)).is_ok());
    for (stack, missing) in [
        (ProtocolStack::v2c(Carrier::Tcp), "PORTREEVE_TCP"),
        (ProtocolStack::tsm(Carrier::Tls), "PORTREEVE_TLS_CERT"),
        (ProtocolStack::tsm(Carrier::Ssh), "PORTREEVE_SSH"),
        (ProtocolStack::new(Message::USM_MD5, Carrier::Udp), "authentication MD5"),
    ] {
        let message = file.check(stack).err().map(|error| error.message().to_owned()).unwrap_or_default();
        assert!(message.contains(missing), "{message}");
    }
}

#[test]
fn invalid_address_is_reported_with_its_variable() {
    let file = read("PORTREEVE_UDP=router\nPORTREEVE_RO=public\n");
    let error = file.check(ProtocolStack::v2c(Carrier::Udp)).err().unwrap();
    assert!(error.message().starts_with("invalid address 'router' in PORTREEVE_UDP"), "{}", error.message());
}

#[test]
fn device_replaces_every_host_and_keeps_ports() {
    let text = "# mine\nexport PORTREEVE_UDP='router.example:1161'\nPORTREEVE_TLS=\"[2001:db8::1]:443\"\nPORTREEVE_RO=public\n";
    let file = read(&for_device(text, "192.0.2.9".parse().unwrap()).ok().unwrap());
    let address = |carrier| file.address(carrier).ok().unwrap().to_string();
    assert_eq!(address(Carrier::Udp), "192.0.2.9:1161");
    assert_eq!(address(Carrier::Tls), "192.0.2.9:443");
    assert_eq!(address(Carrier::Ssh), "192.0.2.9:5161");
    assert_eq!(address(Carrier::Dtls12), "192.0.2.9:10161");
    assert_eq!(file.find("RO"), Some("public"));
}

#[test]
fn address_without_port_is_rejected() {
    assert!(for_device("PORTREEVE_UDP=router\n", "192.0.2.9".parse().unwrap()).is_err());
}
