//! The notifications that are accepted, and the checks of the configuration.

use std::{fs, path::Path};

use portreeve_snmp_manager::{Credentials, ErrorStatus, Secret, TrapSender};

use crate::site::{LOCAL, PRIVATE, Site, community, notification, options, refused, run_once, trap_v1, user};

#[test]
fn notifications_of_all_versions_are_written() {
    let site = Site::new("versions", "");
    let _receiver = site.run();
    for credentials in [community(true), user()] {
        let expected = site.lines() + 1;
        site.trap(credentials, 1);
        site.await_lines(expected);
    }
    let mut v1 = TrapSender::open(&site.address(), community(false), LOCAL, &options()).unwrap();
    v1.send_v1(&trap_v1(PRIVATE)).unwrap();
    site.await_lines(3);
    for credentials in [community(true), user()] {
        let response = site.inform(credentials).unwrap();
        assert_eq!(response.error_status(), Some(ErrorStatus::NoError));
    }
    // An inform is acknowledged after it is written.
    assert_eq!(site.lines(), 5);
}

#[test]
fn refused_notification_is_counted_for_its_source_and_not_printed() {
    let site = Site::new("refused", "");
    let receiver = site.run();
    for _ in 0..3 {
        site.trap(Credentials::V2c(Secret::from("wrong")), 1);
    }
    let known_but_not_accepted = Credentials::V2c(Secret::from("not-accepted"));
    assert!(site.inform(known_but_not_accepted).is_err());
    site.inform(community(true)).unwrap();
    assert_eq!(site.lines(), 1);
    // Three traps and an inform. Communities are not logged.
    let log = receiver.end();
    assert_eq!(refused(&log), 4, "{log}");
    assert!(!log.contains("wrong") && !log.contains("not-accepted"), "{log}");
}

#[test]
fn rule_restricts_the_source_and_the_notifications() {
    let site = Site::new("rules", "");
    site.replace(
        "[[accept]]\nname = \"public\"\n",
        "[[accept]]\nname = \"public\"\nnotifications = \"linkDown\"\nsources = [\"127.0.0.0/8\"]\n\
         [[accept]]\nname = \"other\"\nsources = [\"192.0.2.0/24\"]\n",
    );
    let _receiver = site.run();
    assert!(site.inform(community(true)).is_err(), "coldStart is not in the rule");
    assert!(site.inform(Credentials::V2c(Secret::from("not-accepted"))).is_err(), "another source");
    site.request(community(true), &notification(crate::site::LINK_DOWN)).unwrap();
    assert_eq!(site.lines(), 1);
}

#[test]
fn invalid_configuration_is_rejected_with_its_line() {
    let site = Site::new("invalid", "[[accept]]\nname = \"x\"\nmodel = \"v9\"\n[[sender]]\nuser = \"y\"\n");
    let (success, _, text) = run_once(&["--check", "--config"], &site.config());
    assert!(!success);
    for expected in ["error: unknown security model \"v9\"", "error: undefined user \"y\""] {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn missing_file_is_rejected_with_a_hint() {
    let (success, _, text) =
        run_once(&["--check", "--config"], Path::new("/nonexistent/portreeve-trapd.toml"));
    assert!(
        !success && text.contains("hint: create the file, as portreeve-trapd.toml(5) describes"),
        "{text}"
    );
}

#[test]
fn check_reads_the_keys_and_reports_success() {
    let site = Site::new("check", "");
    let (success, printed, _) = run_once(&["--check", "--config"], &site.config());
    assert!(success && printed.ends_with("portreeve-trapd.toml: no errors\n"), "{printed}");
    let text = fs::read_to_string(site.config()).unwrap();
    site.write(&(text + "[[listen]]\ntransport = \"ssh\"\n[ssh]\nhost-keys = [\"missing\"]\nauthorized-keys = [\"%u\"]\n"));
    let (success, printed, text) = run_once(&["--check", "--config"], &site.config());
    assert!(!success && printed.is_empty() && text.contains("missing"), "{printed}{text}");
}

#[test]
fn secure_listener_of_the_command_line_needs_keys() {
    let site = Site::new("no-keys", "");
    for (address, hint) in
        [("tls:127.0.0.1:0", "the port"), ("tls:127.0.0.1", "[tls]"), ("ssh:127.0.0.1", "[ssh]")]
    {
        let (success, _, text) = run_once(&["--check", address, "--config"], &site.config());
        assert!(!success && text.contains(hint), "{address}: {text}");
    }
}
