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

fn shown(site: &Site, classic: &str) -> String {
    let conf = site.write_file("snmptrapd.conf", classic);
    let (success, text, errors) = run_once(&["--show-sender-config", "udp:192.0.2.1:162", "-c"], &conf);
    assert!(success, "{errors}");
    text
}

#[test]
fn user_of_one_engine_sends_traps_and_the_same_user_without_it_informs() {
    let site = Site::new("sender-config-engine", "");
    let users = "createUser -e 0x8000000001020304 traps SHA-256 \"over the hills\" AES \"and far away\"\n\
                 authUser log traps\n";
    let text = shown(&site, users);
    for expected in [
        "# traps: portreeved.toml, which has engine-id = \"0x8000000001020304\" in [agent], and a [[user]]",
        "\nkind = \"trap\"\n",
        "\nportreeve trap -v3 -e 0x8000000001020304 -u traps -l authPriv -a SHA-256 -A ",
        "\ntrapsess -v3 -e 0x8000000001020304 -u traps -l authPriv ",
    ] {
        assert!(text.contains(expected), "{expected} is missing in:\n{text}");
    }
    assert!(!text.contains("inform") && !text.contains("-Ci"), "{text}");
    let text = shown(&site, &format!("{users}createUser traps\n"));
    assert!(
        text.contains("portreeve trap -v3 -e ")
            && text.contains("\nportreeve inform -v3 -u traps -l noAuthNoPriv ")
    );
}

#[test]
fn community_that_is_accepted_in_v1_only_sends_traps_of_v1() {
    let site = Site::new("sender-config-v1", "");
    site.replace("[[accept]]\nname = \"public\"\n", "[[accept]]\nname = \"public\"\nmodel = \"v1\"\n");
    let (success, text, _) = run_once(&["--show-sender-config", "--config"], &site.config());
    assert!(success);
    let to = format!("udp:127.0.0.1:{}", site.port);
    for expected in [
        format!("to = \"{to}\"\nversion = \"v1\"\ncommunity = \"COMMUNITY\"\n"),
        format!("\nportreeve trap -v1 -c COMMUNITY {to} ENTERPRISE "),
        format!("\ntrapsink {to} COMMUNITY\n"),
    ] {
        assert!(text.contains(&expected), "{expected} is missing in:\n{text}");
    }
    assert!(!text.contains("v2c") && !text.contains("informsink"), "{text}");
}

#[test]
fn accepted_principal_without_a_user_is_reported() {
    let site = Site::new("sender-config-unknown", "");
    let text = shown(&site, "authUser log ops\n");
    assert!(text.starts_with("# no principal that is accepted can reach this receiver: "), "{text}");
    assert!(shown(&site, "").starts_with("# nothing is accepted: "));
}

#[test]
fn name_with_syntax_of_the_shell_is_quoted() {
    let site = Site::new("sender-config-quoting", "");
    let text = shown(&site, "createUser \"o'b $(id)\"\nauthUser log \"o'b $(id)\" noauth\n");
    for expected in [
        "\nuser = \"o'b $(id)\"\n",
        "\nportreeve inform -v3 -u 'o'\\''b $(id)' -l noAuthNoPriv ",
        "\ntrapsess -Ci -v3 -u \"o'b $(id)\" -l noAuthNoPriv ",
    ] {
        assert!(text.contains(expected), "{expected} is missing in:\n{text}");
    }
}
