//! The way there: hosts in between, and ends that are no SSH server.

use std::{
    io::Write,
    net::TcpListener,
    thread,
    time::{Duration, Instant},
};

use portreeve_channel::Step;
use portreeve_channel_ssh::{WindowPolicy, client::Nobody};

use crate::sshd::{Home, echo, refused, try_connect};

#[test]
fn hosts_on_the_way_are_gone_through_and_judged() {
    let Some(home) = Home::new() else { return };
    let (first, second, last) = (home.sshd("first", ""), home.sshd("second", ""), home.sshd("last", ""));
    home.know(&first);
    home.know(&last);
    let config =
        |hops: &str| format!("Host 127.0.0.1\n ProxyJump {hops}\nHost gate* \n HostName 127.0.0.1\n");
    let one = home.settings(&config(&format!("gate:{}", first.port)));
    echo(last.port, &one, &Nobody).unwrap();

    let two = home.settings(&config(&format!("gate1:{},gate2:{}", first.port, second.port)));
    let error = refused(last.port, &two);
    assert_eq!(error.step, Step::ServerIdentity, "{error}");
    assert!(error.cause.starts_with(&format!("on the way, at 127.0.0.1:{}: ", second.port)), "{error}");
    home.know(&second);
    echo(last.port, &two, &Nobody).unwrap();
}

#[test]
fn a_host_on_the_way_that_connects_to_nobody_is_named() {
    let Some(home) = Home::new() else { return };
    let gate = home.sshd("gate", "AllowTcpForwarding no");
    home.know(&gate);
    let settings = home.settings(&format!(
        "Host 127.0.0.1\n ProxyJump gate:{}\nHost gate\n HostName 127.0.0.1\n",
        gate.port
    ));
    let error = refused(1, &settings);
    assert_eq!(error.step, Step::Connect);
    assert!(error.cause.contains("does not connect us to 127.0.0.1:1: it forbids that"), "{error}");
}

//= rfc5592#5.3-5
//= type=test
#[test]
fn a_missing_subsystem_is_told_by_the_first_read() {
    let Some(home) = Home::new() else { return };
    let server = home.sshd("a", "");
    home.know(&server);
    let mut settings = home.settings("");
    settings.subsystem = "netconf".into();
    let (mut channel, runtime) = try_connect(server.port, &settings, &Nobody).unwrap();
    let error = runtime.block_on(channel.read()).unwrap_err();
    assert_eq!(error.step, Step::Subsystem);
    assert!(error.cause.contains("no subsystem \"netconf\""), "{error}");
    assert_eq!(runtime.block_on(channel.read()), Ok(None));
}

#[test]
fn large_messages_pass_through_a_small_window() {
    let Some(home) = Home::new() else { return };
    let server = home.sshd("a", "");
    home.know(&server);
    let mut settings = home.settings("");
    settings.traffic.window = WindowPolicy::EveryMessage;
    let (mut channel, runtime) = try_connect(server.port, &settings, &Nobody).unwrap();
    let sent: Vec<u8> = (0..50_000_u32).map(|number| number as u8).collect();
    let heard = runtime.block_on(async {
        let (reader, writer) = channel.halves();
        let reading = async {
            let mut heard = Vec::new();
            while heard.len() < sent.len() {
                heard.extend(reader.read().await.unwrap().unwrap());
            }
            heard
        };
        let (written, heard) = tokio::join!(writer.write(sent.clone()), reading);
        written.unwrap();
        heard
    });
    assert!(heard == sent);
}

#[test]
fn nothing_listening_is_a_failure_to_connect() {
    let Some(home) = Home::new() else { return };
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = refused(port, &home.settings(""));
    assert_eq!(error.step, Step::Connect);
    assert!(error.cure.is_some());
}

#[test]
fn a_server_that_says_nothing_is_given_up_in_time() {
    let Some(home) = Home::new() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let started = Instant::now();
    let error = refused(listener.local_addr().unwrap().port(), &home.settings("ConnectTimeout 1"));
    assert_eq!(error.step, Step::Negotiate, "{error}");
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_server_of_another_protocol_is_told_from_one_that_hangs_up() {
    let Some(home) = Home::new() else { return };
    for greeting in [&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], b"SSH-1.5-old\r\n", b""] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = thread::spawn(move || listener.accept().unwrap().0.write_all(greeting));
        let error = refused(port, &home.settings("ConnectTimeout 5"));
        assert_eq!(error.step, Step::Negotiate, "{error}");
        server.join().unwrap().unwrap();
    }
}
