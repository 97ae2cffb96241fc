//! Connections through jump hosts, and to peers that are not SSH servers.

use std::{
    io::Write,
    net::TcpListener,
    thread,
    time::{Duration, Instant},
};

use portreeve_channel::{ChannelReason, ChannelStep};
use portreeve_channel_ssh::{WindowPolicy, client::NoPrompter};

use crate::sshd::{TestHome, connect_error, exchange, try_connect};

#[test]
fn connection_goes_through_jump_hosts_whose_host_keys_are_verified() {
    let Some(home) = TestHome::new() else { return };
    let (first, second, last) =
        (home.start_sshd("first", ""), home.start_sshd("second", ""), home.start_sshd("last", ""));
    home.add_known_host(&first);
    home.add_known_host(&last);
    let config =
        |hops: &str| format!("Host 127.0.0.1\n ProxyJump {hops}\nHost gate* \n HostName 127.0.0.1\n");
    let one = home.settings(&config(&format!("gate:{}", first.port)));
    exchange(last.port, &one, &NoPrompter).unwrap();

    let two = home.settings(&config(&format!("gate1:{},gate2:{}", first.port, second.port)));
    let error = connect_error(last.port, &two);
    assert_eq!(error.step, ChannelStep::ServerIdentity, "{error}");
    assert!(error.cause.starts_with(&format!("jump host 127.0.0.1:{}: ", second.port)), "{error}");
    home.add_known_host(&second);
    exchange(last.port, &two, &NoPrompter).unwrap();
}

#[test]
fn jump_host_that_does_not_allow_forwarding_is_reported() {
    let Some(home) = TestHome::new() else { return };
    let gate = home.start_sshd("gate", "AllowTcpForwarding no");
    home.add_known_host(&gate);
    let settings = home.settings(&format!(
        "Host 127.0.0.1\n ProxyJump gate:{}\nHost gate\n HostName 127.0.0.1\n",
        gate.port
    ));
    let error = connect_error(1, &settings);
    assert_eq!(error.step, ChannelStep::Connect);
    assert!(
        error.cause.contains("did not connect to 127.0.0.1:1: the jump host does not allow forwarding"),
        "{error}"
    );
}

//= rfc5592#5.3-5
//= type=test
#[test]
fn first_read_fails_when_the_server_lacks_the_subsystem() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "");
    home.add_known_host(&server);
    let mut settings = home.settings("");
    settings.subsystem = "netconf".into();
    let (mut channel, runtime) = try_connect(server.port, &settings, &NoPrompter).unwrap();
    let error = runtime.block_on(channel.read()).unwrap_err();
    assert_eq!(error.step, ChannelStep::Subsystem);
    assert!(error.cause.contains("no subsystem \"netconf\""), "{error}");
    assert_eq!(runtime.block_on(channel.read()), Ok(None));
}

#[test]
fn connecting_fails_when_the_server_opens_no_session_channel() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "MaxSessions 0");
    home.add_known_host(&server);
    let error = connect_error(server.port, &home.settings(""));
    assert_eq!(error.step, ChannelStep::Subsystem);
    assert_eq!(error.reason, Some(ChannelReason::NoSessionChannel), "{error}");
}

#[test]
fn large_message_is_transferred_through_a_small_window() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "");
    home.add_known_host(&server);
    let mut settings = home.settings("");
    settings.traffic.window = WindowPolicy::EveryMessage;
    let (mut channel, runtime) = try_connect(server.port, &settings, &NoPrompter).unwrap();
    let sent: Vec<u8> = (0..50_000_u32).map(|number| number as u8).collect();
    let received = runtime.block_on(async {
        let (reader, writer) = channel.halves();
        let reading = async {
            let mut received = Vec::new();
            while received.len() < sent.len() {
                received.extend(reader.read().await.unwrap().unwrap());
            }
            received
        };
        let (written, received) = tokio::join!(writer.write(sent.clone()), reading);
        written.unwrap();
        received
    });
    assert!(received == sent);
}

#[test]
fn connect_fails_when_no_server_listens() {
    let Some(home) = TestHome::new() else { return };
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = connect_error(port, &home.settings(""));
    assert_eq!(error.step, ChannelStep::Connect);
    assert!(error.hint.is_some());
}

#[test]
fn negotiation_with_silent_server_times_out() {
    let Some(home) = TestHome::new() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let started = Instant::now();
    let error = connect_error(listener.local_addr().unwrap().port(), &home.settings("ConnectTimeout 1"));
    assert_eq!(error.step, ChannelStep::Negotiate, "{error}");
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn negotiation_fails_with_peers_that_are_not_ssh_2_servers() {
    let Some(home) = TestHome::new() else { return };
    for greeting in [&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], b"SSH-1.5-old\r\n", b""] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = thread::spawn(move || listener.accept().unwrap().0.write_all(greeting));
        let error = connect_error(port, &home.settings("ConnectTimeout 5"));
        assert_eq!(error.step, ChannelStep::Negotiate, "{error}");
        server.join().unwrap().unwrap();
    }
}
