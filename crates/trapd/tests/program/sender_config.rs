//! The lines that senders need, as far as the program prints them. `tests/interop/trapd.py` runs
//! them.

use crate::{
    keys,
    site::{Site, run_once},
};

#[test]
fn sender_config_names_every_transport_and_has_no_secrets() {
    let site = Site::new("sender-config", "");
    let (authority, _) = keys::write(&site);
    site.write(&(site.text() + &keys::sections(&site, &authority)));
    let (success, text, _) = run_once(&["--show-sender-config", "--config"], &site.config());
    assert!(success);
    for expected in [
        format!("to = \"udp:127.0.0.1:{}\"\n", site.port),
        format!("to = \"ssh:ops@127.0.0.1:{}\"\n", site.port + keys::SSH),
        format!("to = \"tls:127.0.0.1:{}\"\n", site.port + keys::TLS),
        format!("to = \"dtls:127.0.0.1:{}\"\n", site.port + keys::TLS),
        "trapsess -Ci -v3 -u traps -l authPriv".to_owned(),
        "community = \"COMMUNITY\"".to_owned(),
    ] {
        assert!(text.contains(&expected), "{expected} is missing in:\n{text}");
    }
    for secret in ["over the hills", "and far away", "= \"public\""] {
        assert!(!text.contains(secret), "{text}");
    }
}
