//! `snmptrapd.conf`.

use std::fs;

use portreeve_snmp_manager::{Credentials, ErrorStatus, Secret, TrapSender};

use crate::site::{
    LINK_DOWN, LOCAL, PRIVATE, Receiver, Site, await_true, community, notification, options, run_once,
    trap_v1, user,
};

const TRAPS: &str =
    "createUser traps SHA-256 \"over the hills\" AES \"and far away\"\nauthUser log,execute,net traps\n";

#[test]
fn community_and_user_are_accepted_and_printed_in_the_formats_of_the_file() {
    let site = Site::new("classic", "");
    let text = format!(
        "authCommunity log public\n{TRAPS}format1 one|%N|%q\\n\nformat2 two|%B|%N|%v\\n\nunknownDirective 1\n"
    );
    let receiver = site.run_classic(&text, &["-On"]);
    site.inform(community(true)).unwrap();
    site.inform(user()).unwrap();
    let mut v1 = TrapSender::open(&site.address(), community(false), LOCAL, &options()).unwrap();
    v1.send_v1(&trap_v1(PRIVATE)).unwrap();
    site.await_lines(3);
    let text = site.text_of("traps.log");
    let lines: Vec<&str> = text.lines().collect();
    for line in &lines[..2] {
        assert!(
            line.starts_with("two|UDP: [127.0.0.1]:") && line.contains("|.|.1.3.6.1.2.1.1.3.0 = "),
            "{text}"
        );
    }
    assert_eq!(lines[2], "one|.1.3.6.1.4.1.32473|.17");
    let log = receiver.log();
    assert!(log.contains("snmptrapd.conf:6: warning: unknownDirective"), "{log}");
    assert!(!log.contains("over the hills"), "{log}");
}

#[test]
fn user_is_accepted_on_any_sender_of_traps_or_on_the_engine_of_the_option() {
    let site = Site::new("classic-engine", "");
    let text = "createUser -e 0x800000000501020304 traps SHA-256 \"over the hills\" AES \"and far away\"\n\
                authUser log traps priv\n";
    let receiver = site.run_classic(text, &[]);
    site.trap_at(user(), crate::site::sender(5), 1, 100);
    site.trap_at(user(), crate::site::sender(4), 1, 100);
    // A notification has two lines. The one of the engine 5 would be before that of the engine 4.
    site.await_lines(2);
    assert!(site.inform(user()).is_err(), "the user does not exist on the receiver");
    assert_eq!(site.lines(), 2);
    receiver.end();
    let receiver = site.run_classic(TRAPS, &[]);
    for number in [5, 6] {
        site.trap_at(user(), crate::site::sender(number), 1, 100);
    }
    site.await_lines(6);
    assert_eq!(site.inform(user()).unwrap().error_status(), Some(ErrorStatus::NoError));
    receiver.end();
}

#[test]
fn disabled_authorization_accepts_every_known_user() {
    let site = Site::new("classic-open", "");
    let text = "createUser traps SHA-256 \"over the hills\" AES \"and far away\"\n";
    let receiver = site.run_classic(text, &[]);
    assert!(site.inform(user()).is_err());
    assert!(receiver.log().contains("warning: nothing is accepted"), "{}", receiver.log());
    receiver.end();
    let receiver = site.run_classic(&format!("disableAuthorization yes\n{text}"), &[]);
    site.inform(user()).unwrap();
    let log = receiver.log();
    assert!(log.contains("snmptrapd.conf:1: warning: disableAuthorization: all known communities"), "{log}");
    assert_eq!(site.lines(), 2, "one notification in the default form");
}

#[test]
fn handlers_are_selected_by_the_longest_identifier() {
    let site = Site::new("classic-handlers", "");
    let script = site.write_file("handler", "#!/bin/sh\ncat > \"$1.new\"; mv \"$1.new\" \"$1\"\n");
    let run = |name: &str| format!("/bin/sh {} {}", script.display(), site.path.join(name).display());
    let text = format!(
        "authCommunity log,execute public\nauthCommunity log quiet\n\
         traphandle default {}\ntraphandle .1.3.6.1.6.3.1.1.5* {}\ntraphandle IF-MIB::linkDown {}\n",
        run("default"),
        run("subtree"),
        run("link-down")
    );
    let _receiver = site.run_classic(&text, &[]);
    let exists = |name: &str| site.path.join(name).exists();
    site.request(Credentials::V2c(Secret::from("quiet")), &notification(LINK_DOWN)).unwrap();
    site.request(community(true), &notification(LINK_DOWN)).unwrap();
    await_true("the handler of linkDown", || exists("link-down"));
    assert!(!exists("subtree") && !exists("default"));
    site.inform(community(true)).unwrap();
    await_true("the handler of the subtree", || exists("subtree"));
    site.request(community(true), &notification(&[1, 3, 6, 1, 4, 1, 9, 0, 1])).unwrap();
    await_true("the default handler", || exists("default"));
    let input = fs::read_to_string(site.path.join("link-down")).unwrap();
    assert!(input.ends_with("SNMPv2-MIB::snmpTrapOID.0 IF-MIB::linkDown\n"), "{input}");
}

#[test]
fn notifications_are_forwarded_as_they_were_received() {
    let (site, target) = (Site::new("classic-forward", ""), Site::new("classic-target", ""));
    let _target = target.run();
    let text = format!(
        "authCommunity log,net public\nauthCommunity log private\n{TRAPS}forward default udp:127.0.0.1:{}\n\
         forward .1.3.6.1.6.3.1.1.5.3 tls:127.0.0.1\n",
        target.port
    );
    let receiver = site.run_classic(&text, &[]);
    let log = receiver.log();
    assert!(log.contains("snmptrapd.conf:6: forward: SSH, TLS and DTLS need a key"), "{log}");
    // Not permitted by the type `net`.
    site.inform(Credentials::V2c(Secret::from("private"))).unwrap();
    site.inform(community(true)).unwrap();
    let mut v1 = TrapSender::open(&site.address(), community(false), LOCAL, &options()).unwrap();
    v1.send_v1(&trap_v1(PRIVATE)).unwrap();
    target.await_lines(2);
    site.inform(user()).unwrap();
    receiver.await_log(&["notifications are discarded instead of forwarded", "has no community"]);
    let text = target.text_of("traps.log");
    assert!(text.starts_with("0 0 ") && text.lines().nth(1).unwrap().starts_with("6 .17 "), "{text}");
    assert_eq!(text.lines().count(), 2);
}

#[test]
fn directives_for_the_log_are_respected() {
    let site = Site::new("classic-log", "");
    let text = "authCommunity log,execute public\nignoreAuthFailure yes\noutputOption n\nformat2 %v\\n\n";
    let receiver = site.run_classic(text, &[]);
    let authentication_failure = notification(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 5]);
    site.request(community(true), &authentication_failure).unwrap();
    site.inform(community(true)).unwrap();
    let lines = site.text_of("traps.log");
    assert_eq!(lines.lines().count(), 1, "{lines}");
    assert!(lines.starts_with(".1.3.6.1.2.1.1.3.0 = "), "{lines}");
    receiver.end();
    let receiver = site.run_classic("authCommunity log,execute public\ndoNotLogTraps yes\n", &[]);
    site.inform(community(true)).unwrap();
    assert_eq!(site.lines(), 1);
    receiver.end();
}

#[test]
fn addresses_of_the_file_are_used_without_others() {
    let site = Site::new("classic-address", "");
    let text = format!("authCommunity log public\nsnmpTrapdAddr udp:localhost:{0},tcp:{0}\n", site.port);
    let conf = site.write_file("snmptrapd.conf", &text);
    let (log, state) = (format!("-Lf{}", site.log().display()), site.path.join("state"));
    let arguments = ["-c", conf.to_str().unwrap(), &log, "--state-dir", state.to_str().unwrap()];
    let _receiver = Receiver::start(&arguments);
    site.inform(community(true)).unwrap();
    let tcp = format!("tcp:127.0.0.1:{}", site.port).parse().unwrap();
    let mut client = portreeve_snmp_manager::Client::open(&tcp, community(true), &options()).unwrap();
    client.request(&crate::site::cold_start()).unwrap();
    assert_eq!(site.lines(), 4, "two notifications of two lines");
}

#[test]
fn all_errors_of_the_file_are_printed_although_an_address_is_invalid() {
    let site = Site::new("classic-errors", "");
    let text = "authCommunity log public\nsnmpTrapdAddr udp:127.0.0.1:16x\noutputOption nZ\nformat1 %@\n";
    let conf = site.write_file("snmptrapd.conf", text);
    let (success, _, errors) = run_once(&["-c"], &conf);
    assert!(!success);
    let lines: Vec<&str> = errors.lines().collect();
    let [option, format, address, last] = &*lines else { panic!("{errors}") };
    for (line, expected) in [
        (option, ":3: outputOption: unknown letter 'Z'"),
        (format, ":4: format1: invalid format at character 2"),
        (address, ":2: snmpTrapdAddr: invalid address udp:127.0.0.1:16x: "),
        (last, ": cannot listen: correct snmpTrapdAddr"),
    ] {
        assert!(line.starts_with(&format!("{}{expected}", conf.display())), "{line}");
    }
    // Those of the command line are used instead.
    let receiver = site.run_classic(text, &[]);
    site.inform(community(true)).unwrap();
    receiver.end();
    // The default would also listen on other addresses.
    let conf =
        site.write_file("snmptrapd.conf", "authCommunity log public\nsnmpTrapdAddr udp:127.0.0.1:162,\n");
    let (success, _, errors) = run_once(&["-c"], &conf);
    assert!(!success && errors.ends_with(": cannot listen: correct snmpTrapdAddr\n"), "{errors}");
}

#[test]
fn check_fails_when_a_directive_is_invalid_and_not_for_warnings() {
    let site = Site::new("classic-check", "");
    let check = |text: &str| {
        let conf = site.write_file("snmptrapd.conf", text);
        let (success, printed, errors) = run_once(&["--check", "-c"], &conf);
        let last = printed.lines().chain(errors.lines()).last().unwrap_or_default().to_owned();
        (success, last.replace(&*conf.to_string_lossy(), "FILE"))
    };
    assert!(check("authCommunity log public\nunknownDirective 1\n").0);
    assert_eq!(check("authCommunity log public\n"), (true, "FILE: no errors".to_owned()));
    let text = "authCommunity log public\nauthCommunity log public nosuch/24\n";
    let expected = "FILE: 1 invalid directive has no effect: correct or remove it";
    assert_eq!(check(text), (false, expected.to_owned()));
    let text = "authCommunity log public\nforward default tls:127.0.0.1\ntraphandle default\n";
    let expected = "FILE: 2 invalid directives have no effect: correct or remove them";
    assert_eq!(check(text), (false, expected.to_owned()));
}

#[test]
fn name_with_a_module_that_does_not_define_it_is_reported() {
    let site = Site::new("classic-modules", "");
    let text = "authUser log ops noauth BAD-MIB::linkDown\ntraphandle IF-MIB::coldStart /bin/true\n\
                traphandle IF-MIB::linkDown /bin/true\n";
    let conf = site.write_file("snmptrapd.conf", text);
    let (success, _, errors) = run_once(&["--check", "-c"], &conf);
    assert!(!success);
    for expected in [
        ":1: authUser: invalid object identifier \"BAD-MIB::linkDown\": unknown module \"BAD-MIB\"",
        ":2: traphandle: invalid notification \"IF-MIB::coldStart\": the module does not define this name, but ",
        ": 2 invalid directives",
    ] {
        assert!(
            errors.contains(&format!("{}{expected}", conf.display())),
            "{expected} is missing in {errors}"
        );
    }
}
