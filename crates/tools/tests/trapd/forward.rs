//! Forwarding to other receivers.

use std::{fs, time::Duration, time::Instant};

use portreeve_snmp_manager::{Credentials, OidRef, Operation, Request, Secret, TrapSender, Value};

use crate::{
    keys,
    site::{
        LINK_DOWN, LOCAL, PRIVATE, SYS_NAME, Site, TRAP_OID, UP_TIME, await_true, community, free_port,
        notification, options, run_once, trap_v1, user,
    },
};

/// Returns coldStart with a number.
fn numbered(number: usize) -> Request {
    let mut request = Request::new(Operation::Inform);
    request.push(UP_TIME, Value::TimeTicks(1));
    request.push(TRAP_OID, Value::ObjectId(OidRef::Arcs(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 1])));
    request.push(SYS_NAME, Value::OctetString(format!("number {number}.").as_bytes()));
    request
}

/// Returns the numbers of the lines of a receiver.
fn numbers(site: &Site) -> Vec<usize> {
    let text = site.text_of("traps.log");
    let numbers =
        text.lines().filter_map(|line| line.split_once("number ")?.1.split_once('.')?.0.parse().ok());
    numbers.collect()
}

#[test]
fn notifications_are_forwarded_in_the_version_of_the_target() {
    let (site, target) = (Site::new("forward", ""), Site::new("forward-target", ""));
    target.replace("%w %q %v", "%P %w %q %v");
    let to = format!("to = \"udp:127.0.0.1:{}\"\n", target.port);
    let targets = [
        format!("[[forward]]\n{to}user = \"traps\"\nnotifications = [\"linkDown\"]\n"),
        format!(
            "[[forward]]\n{to}user = \"traps\"\nkind = \"trap\"\nnotifications = [\"1.3.6.1.4.1.32473\"]\n"
        ),
        format!(
            "[[forward]]\n{to}version = \"v1\"\ncommunity = \"public\"\nnotifications = [\"coldStart\"]\n"
        ),
        format!("[[forward]]\n{to}version = \"as-received\"\nnotifications = [\"linkUp\"]\n"),
    ];
    site.write(&(site.text() + &targets.concat()));
    let (_receiver, _target) = (site.run(), target.run());
    site.request(community(true), &notification(LINK_DOWN)).unwrap();
    target.await_lines(1);
    let mut v1 = TrapSender::open(&site.address(), community(false), LOCAL, &options()).unwrap();
    v1.send_v1(&trap_v1(PRIVATE)).unwrap();
    target.await_lines(2);
    site.trap(user(), 1);
    target.await_lines(3);
    let mut link_up = LINK_DOWN.to_vec();
    link_up[9] = 4;
    site.request(community(true), &notification(&link_up)).unwrap();
    target.await_lines(4);
    let text = target.text_of("traps.log");
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("INFORM, SNMP v3, user traps, context  0 0 ")
            && lines[0].contains("IF-MIB::linkDown"),
        "{text}"
    );
    assert!(lines[1].starts_with("TRAP2, SNMP v3, user traps, context  0 0 "), "{text}");
    assert!(lines[1].contains("snmpTrapAddress.0 = IpAddress: 192.0.2.1"), "{text}");
    assert!(lines[2].starts_with("TRAP, SNMP v1, community public 0 "), "{text}");
    assert!(
        lines[3].starts_with("INFORM, SNMP v2c, community public 0 0 ")
            && lines[3].contains("IF-MIB::linkUp"),
        "{text}"
    );
    assert_eq!(site.lines(), 4);
}

#[test]
fn notifications_are_forwarded_in_a_session() {
    for (name, kind) in
        [("ssh", "inform"), ("tls", "inform"), ("dtls", "inform"), ("tls", "trap"), ("ssh", "trap")]
    {
        let site = Site::new(&format!("forward-{name}-{kind}"), "");
        let target = Site::new(&format!("forward-{name}-{kind}-target"), "");
        let (authority, _) = keys::write(&target);
        target.write(&(target.text() + &keys::sections(&target, &authority)));
        target.replace("%w %q %v", "%b|%P|%v");
        let directory = target.path.display();
        let (port, keys) = match name {
            "ssh" => {
                let to = format!("ssh:ops@127.0.0.1:{}", target.port + keys::SSH);
                (
                    to,
                    format!("ssh-key = \"{directory}/ssh_ops\"\nknown-hosts = \"{directory}/known_hosts\"\n"),
                )
            }
            _ => {
                let to = format!("{name}:127.0.0.1:{}", target.port + keys::TLS);
                let files = format!("certificate = \"{directory}/ops.pem\"\nkey = \"{directory}/ops.key\"\n");
                (to, format!("{files}authorities = [\"{directory}/ca.pem\"]\n"))
            }
        };
        site.write(&format!("{}[[forward]]\nto = \"{port}\"\nkind = \"{kind}\"\n{keys}", site.text()));
        let (receiver, other) = (site.run(), target.run());
        for number in 0..3 {
            site.request(community(true), &numbered(number)).unwrap();
        }
        let start = Instant::now();
        while target.lines() < 3 {
            let logs = || format!("{name} {kind}: {}{}", receiver.log(), other.log());
            assert!(start.elapsed() < Duration::from_secs(30), "{}", logs());
        }
        assert_eq!(numbers(&target), [0, 1, 2]);
        let text = target.text_of("traps.log");
        assert!(text.contains("SNMP v3, user ops, context "), "{text}");
        let word = if kind == "inform" { "|INFORM, " } else { "|TRAP2, " };
        assert!(text.lines().all(|line| line.contains(word)), "{text}");
    }
}

#[test]
fn informs_wait_in_order_while_the_target_does_not_answer() {
    let (site, target) = (Site::new("forward-waits", ""), Site::new("forward-waits-target", ""));
    site.write(&format!(
        "{}[[forward]]\nto = \"udp:127.0.0.1:{}\"\nuser = \"traps\"\ntimeout = 1\nretries = 0\n",
        site.text(),
        target.port
    ));
    let receiver = site.run();
    let start = Instant::now();
    for number in 0..20 {
        site.request(community(true), &numbered(number)).unwrap();
    }
    assert_eq!(site.lines(), 20, "forwarding does not delay the lines");
    assert!(start.elapsed() < Duration::from_secs(20));
    let destination = format!("destination=\"udp:127.0.0.1:{}\"", target.port);
    receiver.await_log(&["notifications wait, because they cannot be forwarded", &destination]);
    let other = target.run();
    target.await_lines(20);
    assert_eq!(numbers(&target), (0..20).collect::<Vec<_>>());
    receiver.await_log(&["notifications are forwarded again", &destination]);
    // The target loses its clock and its memory.
    other.kill();
    site.request(community(true), &numbered(20)).unwrap();
    let _target = target.run();
    // The one before can be repeated, if its response was lost when the target was killed.
    await_true("the last inform", || numbers(&target).last() == Some(&20));
}

#[test]
fn community_that_the_target_does_not_know_does_not_delay_others() {
    let (site, target) = (Site::new("forward-stuck", ""), Site::new("forward-stuck-target", ""));
    let conf = format!(
        "authCommunity log,net public\nauthCommunity log,net other\nforward default udp:127.0.0.1:{}\n",
        target.port
    );
    let (receiver, _target) = (site.run_classic(&conf, &[]), target.run());
    site.request(Credentials::V2c(Secret::from("other")), &numbered(1)).unwrap();
    site.request(community(true), &numbered(2)).unwrap();
    let mut sender = TrapSender::open(&site.address(), community(true), LOCAL, &options()).unwrap();
    sender.send(Default::default(), numbered(3).variables()).unwrap();
    target.await_lines(2);
    let mut found = numbers(&target);
    found.sort_unstable();
    assert_eq!(found, [2, 3]);
    receiver.await_log(&["notifications wait, because they cannot be forwarded", "did not confirm"]);
}

#[test]
fn target_that_is_a_listener_of_the_receiver_is_refused() {
    let site = Site::new("forward-loop", "");
    let check = |listen: &str, to: &str| {
        let text = site.text().replace(&format!("127.0.0.1:{}", site.port), listen);
        site.write(&format!("{text}[[forward]]\nto = \"{to}\"\nuser = \"traps\"\n"));
        let (is_valid, _, error) = run_once(&["--check", "--config"], &site.config());
        assert_eq!(is_valid, !error.contains(&format!("cannot forward to {to}: this program listens there")));
        is_valid
    };
    assert!(!check("127.0.0.1:16200", "udp:127.0.0.1:16200"));
    assert!(!check("0.0.0.0:16200", "udp:127.0.0.2:16200"));
    assert!(check("127.0.0.1:16200", "udp:127.0.0.1:16201"));
    assert!(check("127.0.0.1:16200", "tcp:127.0.0.1:16200"));
    assert!(check("0.0.0.0:16200", "udp:192.0.2.1:16200"));
    let conf = "authCommunity log,net public\nsnmpTrapdAddr udp:16200\nforward default udp:localhost:16200\n";
    let conf = site.write_file("snmptrapd.conf", conf);
    let (is_valid, _, error) = run_once(&["--check", "-c"], &conf);
    let expected = format!("{}:3: error: cannot forward to udp:localhost:16200: ", conf.display());
    assert!(!is_valid && error.contains(&expected), "{error}");
}

#[test]
fn target_whose_disk_is_full_gets_the_inform_again() {
    let (site, target) = (Site::new("forward-full", ""), Site::new("forward-full-target", ""));
    site.write(&format!(
        "{}[[forward]]\nto = \"udp:127.0.0.1:{}\"\nuser = \"traps\"\n",
        site.text(),
        target.port
    ));
    fs::remove_file(target.log()).unwrap();
    std::os::unix::fs::symlink("/dev/full", target.log()).unwrap();
    let (receiver, other) = (site.run(), target.run());
    site.request(community(true), &numbered(1)).unwrap();
    receiver.await_log(&["notifications wait", "the destination refused the inform with error-status 5"]);
    fs::remove_file(target.log()).unwrap();
    other.signal("HUP");
    await_true("the inform", || numbers(&target) == [1]);
}

#[test]
fn notifications_that_do_not_fit_the_queue_are_counted_and_logged() {
    let site = Site::new("forward-queue", "");
    let to = format!("to = \"tcp:127.0.0.1:{}\"\n", free_port());
    site.write(&format!("{}[[forward]]\n{to}version = \"as-received\"\nqueue-size = 65536\n", site.text()));
    let receiver = site.run();
    for number in 0..300 {
        let mut sender = TrapSender::open(&site.address(), community(true), LOCAL, &options()).unwrap();
        sender.send(Default::default(), numbered(number).variables()).unwrap();
    }
    site.await_lines(300);
    let first = receiver
        .await_log(&["notifications are discarded instead of forwarded", "too many notifications wait"]);
    assert!(first.contains(" count=1 "), "{first}");
    let log = receiver.end();
    let counts = log
        .lines()
        .filter(|line| line.contains("discarded instead of forwarded"))
        .map(|line| line.split_once(" count=").unwrap().1.split_once(' ').unwrap().0.parse::<u32>().unwrap());
    // Those that wait are discarded at the end.
    assert_eq!(counts.sum::<u32>(), 300, "{log}");
    assert!(log.contains("reason=\"the receiver stops\""), "{log}");
}

#[test]
fn only_permitted_notifications_are_forwarded() {
    let (site, target) = (Site::new("forward-rule", ""), Site::new("forward-rule-target", ""));
    site.write(&format!(
        "{}[[forward]]\nto = \"udp:127.0.0.1:{}\"\nuser = \"traps\"\n",
        site.text(),
        target.port
    ));
    site.replace(
        "[[accept]]\nname = \"public\"\n",
        "[[accept]]\nname = \"public\"\nactions = [\"log\", \"execute\"]\n",
    );
    let (_receiver, _target) = (site.run(), target.run());
    site.request(community(true), &numbered(1)).unwrap();
    site.request(user(), &numbered(2)).unwrap();
    target.await_lines(1);
    assert_eq!((numbers(&target), site.lines()), (vec![2], 2));
}
