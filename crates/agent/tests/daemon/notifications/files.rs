//! Targets whose key and certificate files cannot be read, beside a target whose files can.

use std::{
    fs,
    net::TcpListener,
    process::Command,
    time::{Duration, Instant},
};

use portreeve_smi::TransportDomain;

use super::fail_authentication;
use crate::fixture::{HungDisk, NotificationSite};

const FAILURES: &str = "[notifications]\nauthentication-failures = true\n";

#[test]
fn fifo_in_place_of_a_key_delays_neither_the_start_nor_other_targets() {
    let site = NotificationSite::new("notify-fifo");
    let receiver = site.receiver();
    let fifo = site.agent.home.path.join("fifo");
    assert!(Command::new("mkfifo").args(["-m", "600"]).arg(&fifo).status().unwrap().success());
    let targets = FAILURES.to_owned()
        + &site.target("good", &receiver, TransportDomain::Tls, "")
        + "[[notify]]\nname = \"fifo-tls\"\nto = \"tls:127.0.0.1:9\"\ncertificate = \"notifier.pem\"\nkey = \"fifo\"\nauthorities = [\"ca.pem\"]\n\
           [[notify]]\nname = \"fifo-ssh\"\nto = \"ssh:ops@127.0.0.1:9\"\nssh-key = \"id_ops\"\nknown-hosts = \"fifo\"\n";
    let agent = site.run(&targets);
    receiver.await_count(1);
    site.await_status("fifo: not a regular file");
    fail_authentication(&site.agent.home, 1);
    receiver.await_count(2);
    assert!(agent.end().0.success());
}

/// The targets fail at first because nothing listens at their port, so that their files are read
/// again after the file system has stopped to respond.
#[test]
fn file_system_that_hangs_delays_only_its_own_targets_and_not_the_stop() {
    let site = NotificationSite::new("notify-hung");
    let receiver = site.receiver();
    let home = &site.agent.home.path;
    fs::create_dir(home.join("hung")).unwrap();
    for file in ["notifier.pem", "notifier.key", "ca.pem", "id_ops"] {
        fs::copy(home.join(file), home.join("hung").join(file)).unwrap();
    }
    fs::write(home.join("hung/receivers"), "").unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let target = |transport: &str, user: &str, more: &str| {
        format!(
            "[[notify]]\nname = \"hung-{transport}\"\nto = \"{transport}:{user}127.0.0.1:{port}\"\ntimeout = 1\nretries = 0\n{more}"
        )
    };
    let tls =
        "certificate = \"hung/notifier.pem\"\nkey = \"hung/notifier.key\"\nauthorities = [\"hung/ca.pem\"]\n";
    let ssh = "ssh-key = \"hung/id_ops\"\nknown-hosts = \"hung/receivers\"\n";
    let targets = FAILURES.to_owned()
        + &site.target("good", &receiver, TransportDomain::Tls, "")
        + &target("tls", "", tls)
        + &target("ssh", "ops@", ssh);
    let agent = site.run(&targets);
    receiver.await_count(1);
    let Some(_disk) = HungDisk::over(&home.join("hung")) else { return };
    let error = "cannot read the files of the target in time: check the file system of ";
    let path = home.display();
    site.await_status(&format!("{error}{path}/hung/notifier.pem"));
    site.await_status(&format!("{path}/hung/id_ops"));
    let start = Instant::now();
    fail_authentication(&site.agent.home, 1);
    receiver.await_count(2);
    assert!(site.status().contains(error));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let (status, duration) = agent.end();
    assert!(status.success() && duration < Duration::from_secs(30), "{status} after {duration:?}");
}
