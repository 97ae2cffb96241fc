//! Programs that are run for notifications.

use std::{fs, path::Path, process::Command};

use portreeve_snmp_manager::{TrapSender, Value};

use crate::site::{
    LINK_DOWN, LOCAL, PRIVATE, PROGRAM, Receiver, SYS_NAME, Site, await_true, cold_start, community,
    notification, options, run_once, trap_v1,
};

/// Returns a `[[handler]]` that runs a script.
fn handler(notifications: &str, script: &str, more: &str) -> String {
    format!(
        "[[handler]]\nnotifications = \"{notifications}\"\ncommand = [\"/bin/sh\", \"-c\", '''{script}''']\n{more}\n"
    )
}

/// Returns whether a process exists and is not a zombie.
fn is_running(pid: &str) -> bool {
    let status = fs::read_to_string(Path::new("/proc").join(pid).join("stat"));
    status.is_ok_and(|status| !status.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

#[test]
fn handler_gets_the_input_of_snmptrapd() {
    let site = Site::new("handlers", "");
    let seen = site.path.join("seen");
    let script = format!("cat > {0}.new; mv {0}.new {0}", seen.display());
    site.write(&(site.text() + &handler("SNMPv2-MIB::coldStart", &script, "")));
    let _receiver = site.run();
    site.inform(community(true)).unwrap();
    await_true("the handler", || seen.exists());
    let input = fs::read_to_string(&seen).unwrap();
    let lines: Vec<&str> = input.lines().collect();
    assert!(lines[0].starts_with("UDP: [127.0.0.1]:") && lines[0] == lines[1], "{input}");
    assert_eq!(
        lines[2..],
        ["SNMPv2-MIB::sysUpTime.0 0:0:00:42.00", "SNMPv2-MIB::snmpTrapOID.0 SNMPv2-MIB::coldStart"]
    );
}

#[test]
fn value_with_line_feed_adds_no_line_to_the_input_of_a_handler() {
    let site = Site::new("handler-forged", "");
    let (text, json) = (site.path.join("text"), site.path.join("json"));
    let script = |seen: &Path| format!("cat > {0}.new; mv {0}.new {0}", seen.display());
    let handlers =
        handler("coldStart", &script(&text), "") + &handler("coldStart", &script(&json), "input = \"json\"");
    site.write(&(site.text() + &handlers));
    let _receiver = site.run();
    let mut request = cold_start();
    request.push(SYS_NAME, Value::OctetString(b"caf\xe9\nSNMPv2-MIB::snmpTrapOID.0 IF-MIB::linkUp"));
    request.push(SYS_NAME, Value::OctetString(b"web1\nx"));
    site.request(community(true), &request).unwrap();
    await_true("the handlers", || text.exists() && json.exists());
    let text = fs::read(&text).unwrap();
    let lines: Vec<&[u8]> = text.split(|octet| *octet == b'\n').collect();
    let expected = b"SNMPv2-MIB::sysName.0 caf.\\nSNMPv2-MIB::snmpTrapOID.0 IF-MIB::linkUp";
    assert_eq!(lines[4..], [&expected[..], b"SNMPv2-MIB::sysName.0 web1\\nx", b""]);
    let json = fs::read_to_string(&json).unwrap();
    assert!(json.starts_with("{\"time\":") && json.ends_with("}\n") && json.lines().count() == 1, "{json}");
    assert!(json.contains("\"trap-name\":\"SNMPv2-MIB::coldStart\""), "{json}");
    assert!(json.contains("\"value\":\"web1\\nx\""), "{json}");
}

#[test]
fn program_of_a_handler_must_be_an_absolute_path_and_should_exist() {
    let site = Site::new("handler-path", "");
    let check = |program: &str| {
        site.write(&(site.text() + &handler("coldStart", "", "").replace("/bin/sh", program)));
        run_once(&["--check", "--config"], &site.config())
    };
    let (is_valid, _, error) = check("relative/x");
    assert!(!is_valid && error.contains("the program \"relative/x\" is not an absolute path"), "{error}");
    let (is_valid, _, error) = check("/nonexistent/x");
    assert!(is_valid && error.contains("warning: the program \"/nonexistent/x\" cannot be run"), "{error}");
    let (is_valid, _, error) = check("/bin/sh");
    assert!(is_valid && error.is_empty(), "{error}");
    let conf =
        site.write_file("snmptrapd.conf", "authCommunity log public\ntraphandle default /nonexistent/x\n");
    let (_, _, error) = run_once(&["--check", "-c"], &conf);
    assert!(
        error.contains(":2: warning: traphandle: the program \"/nonexistent/x\" cannot be run"),
        "{error}"
    );
}

#[test]
fn handler_gets_a_v1_trap_with_its_translated_variables() {
    let site = Site::new("handler-v1", "");
    let seen = site.path.join("seen");
    let script = format!("cat > {0}.new; mv {0}.new {0}", seen.display());
    site.write(&(site.text() + &handler("default", &script, "")));
    let _receiver = site.run();
    let mut v1 = TrapSender::open(&site.address(), community(false), LOCAL, &options()).unwrap();
    v1.send_v1(&trap_v1(PRIVATE)).unwrap();
    await_true("the handler", || seen.exists());
    let input = fs::read_to_string(&seen).unwrap();
    let lines: Vec<&str> = input.lines().skip(2).collect();
    assert_eq!(
        lines,
        [
            "SNMPv2-MIB::sysUpTime.0 0:0:00:42.00",
            "SNMPv2-MIB::snmpTrapOID.0 SNMPv2-SMI::enterprises.32473.0.17",
            "SNMP-COMMUNITY-MIB::snmpTrapAddress.0 192.0.2.1",
            "SNMP-COMMUNITY-MIB::snmpTrapCommunity.0 \"public\"",
            "SNMPv2-MIB::snmpTrapEnterprise.0 SNMPv2-SMI::enterprises.32473"
        ]
    );
}

#[test]
fn handler_that_hangs_is_killed_and_the_others_run() {
    let site = Site::new("handler-hangs", "");
    let (child, after) = (site.path.join("child"), site.path.join("after"));
    let hanging = format!("sleep 1000 & echo $! >> {}; trap \"\" TERM; wait", child.display());
    let other = format!("touch {}", after.display());
    let handlers = handler("coldStart", &hanging, "timeout = 1") + &handler("linkDown", &other, "");
    site.write(&(site.text() + &handlers));
    let receiver = site.run();
    // More than run at once.
    for _ in 0..10 {
        site.inform(community(true)).unwrap();
    }
    assert_eq!(site.lines(), 10, "handlers do not delay the lines");
    site.request(community(true), &notification(LINK_DOWN)).unwrap();
    await_true("the other handler", || after.exists());
    let line = receiver.await_log(&["handler failed program=/bin/sh", "timeout=1s"]);
    assert!(line.contains(" runs=1"), "{line}");
    let children = || site.text_of("child");
    await_true("all runs", || children().lines().count() == 10);
    // The whole group is killed, not only the shell.
    await_true("the end of all children", || !children().lines().any(is_running));
}

#[test]
fn handler_that_hangs_does_not_delay_another() {
    let site = Site::new("handler-starves", "");
    let after = site.path.join("after");
    // Until the receiver ends.
    let script = "while kill -0 $PPID; do sleep 0.1; done";
    let hanging = handler("coldStart", script, "timeout = 600");
    let other = handler("linkDown", &format!("touch {}", after.display()), "");
    site.write(&(site.text() + &hanging + &other));
    let _receiver = site.run();
    for _ in 0..40 {
        site.trap(community(true), 1);
    }
    site.request(community(true), &notification(LINK_DOWN)).unwrap();
    await_true("the other handler", || after.exists());
}

#[test]
fn runs_that_end_with_the_program_are_logged() {
    let site = Site::new("handler-end", "");
    let started = site.path.join("started");
    let script = format!("echo >> {}; sleep 1000", started.display());
    site.write(&(site.text() + &handler("coldStart", &script, "")));
    let receiver = site.run();
    for _ in 0..20 {
        site.inform(community(true)).unwrap();
    }
    await_true("the handlers", || site.text_of("started").len() == 8);
    let log = receiver.end();
    let has = |text: &str| log.lines().any(|line| line.contains(text));
    assert!(has("handlers are not run: the program ends program=/bin/sh runs=12"), "{log}");
    assert!(has("handler failed program=/bin/sh stopped=true runs=1"), "{log}");
    assert!(has("handler failed program=/bin/sh stopped=true runs=7"), "{log}");
}

#[test]
fn handler_does_not_inherit_pass_phrases() {
    let site = Site::new("handler-environment", "");
    let seen = site.path.join("seen");
    let script = format!("env > {0}.new; mv {0}.new {0}", seen.display());
    site.write(&(site.text() + &handler("coldStart", &script, "")));
    let mut command = Command::new(&*PROGRAM);
    command.args(["--config", site.config().to_str().unwrap()]);
    command.env("PORTREEVE_AUTH_PASS", "sesame").env("SITE", "north");
    let _receiver = Receiver::start_command(&mut command);
    site.inform(community(true)).unwrap();
    await_true("the handler", || seen.exists());
    let text = fs::read_to_string(&seen).unwrap();
    assert!(text.contains("SITE=north") && !text.contains("sesame"), "{text}");
}

#[test]
fn handler_that_fails_or_prints_megabytes_is_logged_in_one_line() {
    let site = Site::new("handler-fails", "");
    let noisy = "cat > /dev/null; head -c 5000000 /dev/zero | tr \"\\\\0\" x; exit 3";
    let handlers = handler("coldStart", noisy, "")
        + &handler("linkDown", "exit 0", "").replace("/bin/sh", "/nonexistent");
    site.write(&(site.text() + &handlers));
    let receiver = site.run();
    site.inform(community(true)).unwrap();
    let line = receiver.await_log(&["handler failed program=/bin/sh status=3 runs=1"]);
    assert!(line.len() < 6000 && line.ends_with("xxx\" cut=true"), "{}", line.len());
    site.request(community(true), &notification(LINK_DOWN)).unwrap();
    receiver.await_log(&["handler failed program=/nonexistent error=", "No such file"]);
}

#[test]
fn runs_that_do_not_fit_the_queue_are_counted() {
    let site = Site::new("handler-queue", "");
    site.write(&(site.text() + &handler("coldStart", "sleep 20", "")));
    let receiver = site.run();
    for _ in 0..1100 {
        site.trap(community(true), 1);
    }
    site.await_lines(1100);
    let log = receiver.end();
    let lines =
        log.lines().filter(|line| line.contains("handlers are not run: too many wait program=/bin/sh"));
    let runs = lines.map(|line| line.rsplit_once('=').unwrap().1.parse::<u32>().unwrap());
    // 8 run and 1000 wait.
    assert_eq!(runs.sum::<u32>(), 1100 - 1008, "{log}");
}
