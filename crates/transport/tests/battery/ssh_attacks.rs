//! Attacks over SSH after the key exchange or with many connections.

use std::io::{Read, Write};
use std::net::{IpAddr, TcpStream, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use portreeve_channel::{LoginDialog, LoginError, LoginPrompt, PasswordVerifier};
use portreeve_transport::Limits;
use russh::keys::PrivateKeyWithHashAlg;
use russh::{ChannelMsg, client};

use super::fixture::{
    BLOCK, CPU_TIME, ECHO, LARGE, LARGE_DEFERRED, MAX_OPEN_SESSIONS, PANIC, TEST_TIMEOUT, TestServer,
    TransportKind, frame,
};
use super::ssh_encrypted::{
    CHANNEL_DATA, CHANNEL_OPEN_CONFIRMATION, DISCONNECT, EncryptedSsh, USERAUTH_SUCCESS, channel_open,
};
use super::ssh_peer::{AcceptAnyHostKey, RUNTIME, SshPeer, authenticated};
use super::ssh_server::{TEST_KEYS, UNNAMED_USER, USER, settings};

/// On the first server, the silent connections do not time out during the test, so that a login
/// that waits for them fails.
#[test]
fn t1_silent_connections_time_out_without_delaying_logins() {
    let connect_all = |server: &TestServer| -> Vec<_> {
        (0..200).map(|_| TcpStream::connect(server.address).unwrap()).collect()
    };
    let limits = Limits { first_message_timeout: LONGER_THAN_TEST, ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Ssh4, 1, limits);
    let silent = connect_all(&server);
    server.peer().request(&frame(ECHO, b"1"));
    assert_eq!(server.statistics().closed_no_message, 0);
    drop(silent);
    let limits = Limits { first_message_timeout: Duration::from_millis(1500), ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Ssh4, 1, limits);
    let silent = connect_all(&server);
    for mut stream in silent {
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(rest.starts_with(b"SSH-2.0-Portreeve"), "{rest:?}");
    }
    server.wait_for_statistics("all closes", |statistics| statistics.closed_no_message == 200);
}

/// Compares processor time with that of a server without such connections, because the elapsed time
/// depends on the load of the machine. A login that waited for the stalled connections would
/// succeed only after they have timed out.
#[test]
fn thousand_stalled_key_exchanges_do_not_delay_login() {
    let limits = Limits {
        max_sessions_per_source: 2000,
        first_message_timeout: LONGER_THAN_TEST,
        ..Limits::default()
    };
    let control = TestServer::with_limits(TransportKind::Ssh4, 1, limits.clone());
    let server = TestServer::with_limits(TransportKind::Ssh4, 1, limits);
    let idle: Vec<_> = (0..1000)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            stream.write_all(b"SSH-2.0-Idle\r\n").unwrap();
            stream
        })
        .collect();
    server.wait_for_statistics("all connections", |statistics| statistics.sessions_opened == 1000);
    let [mut alone, mut among_stalled] = [Duration::MAX; 2];
    for _ in 0..10 {
        alone = alone.min(login_cpu_time(&control));
        among_stalled = among_stalled.min(login_cpu_time(&server));
    }
    assert!(among_stalled < alone * 3 / 2, "{among_stalled:?}, without stalled connections {alone:?}");
    assert_eq!(server.statistics().closed_no_message, 0, "the logins waited for a timeout");
    drop(idle);
}

/// Returns the processor time that the only worker uses for a login and a request.
fn login_cpu_time(server: &TestServer) -> Duration {
    let before = worker_cpu_time(server);
    let mut peer = server.peer();
    peer.request(&frame(ECHO, b"1"));
    let cpu_time = worker_cpu_time(server) - before;
    drop(peer);
    cpu_time
}

/// Returns the processor time that the only worker has used.
fn worker_cpu_time(server: &TestServer) -> Duration {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(server.udp).unwrap();
    socket.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    socket.send(&frame(CPU_TIME, &[])).unwrap();
    let mut answer = [0; 20];
    let length = socket.recv(&mut answer).unwrap();
    Duration::from_nanos(u64::from_be_bytes(answer[length - 8..length].try_into().unwrap()))
}

#[test]
fn t3_channel_and_forward_requests_before_login_are_rejected() {
    let limits = Limits { first_message_timeout: Duration::from_millis(700), ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Ssh4, 1, limits);
    RUNTIME.block_on(async {
        let config = Arc::new(client::Config::default());
        let handle = client::connect(config, server.address, AcceptAnyHostKey).await.unwrap();
        assert!(handle.channel_open_session().await.is_err(), "a channel was opened");
        let config = Arc::new(client::Config::default());
        let handle = client::connect(config, server.address, AcceptAnyHostKey).await.unwrap();
        assert!(handle.tcpip_forward("127.0.0.1", 0).await.is_err(), "a port was forwarded");
    });
    server.wait_for_statistics("both closes", |statistics| {
        statistics.closed_no_message + statistics.closed_handshake_failed == 2
    });
    server.peer().request(&frame(ECHO, b"1"));
}

/// Includes the messages that only a server sends, as in CVE-2018-10933.
#[test]
fn t3_out_of_order_messages_do_not_bypass_authentication() {
    let server = TestServer::start(TransportKind::Ssh4);
    for number in (1..=255_u8).filter(|number| !KEY_EXCHANGE.contains(number)) {
        for is_in_service in [false, true] {
            let mut peer = EncryptedSsh::client(&server);
            if is_in_service {
                peer.request_service();
            }
            peer.send(&[number]);
            peer.send(&[&[number][..], &[0; 40]].concat());
            peer.send(&channel_open(1000));
            let received = peer.rest();
            let kinds: Vec<_> = received.iter().map(|message| message[0]).collect();
            assert!(
                !kinds.contains(&CHANNEL_OPEN_CONFIRMATION) && !kinds.contains(&USERAUTH_SUCCESS),
                "message {number}: {kinds:?}"
            );
        }
    }
    assert_eq!(server.statistics().closed_by_panic, 0);
    server.peer().request(&frame(ECHO, b"1"));
}

//= rfc5592#5.3-6
//= type=test
#[test]
fn t4_shell_exec_and_other_subsystems_are_rejected() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = SshPeer::connect(server.address, USER);
    RUNTIME.block_on(peer.channel.request_shell(true)).unwrap();
    assert!(!peer.is_granted());
    RUNTIME.block_on(peer.channel.exec(true, "id")).unwrap();
    assert!(!peer.is_granted());
    RUNTIME.block_on(peer.channel.set_env(true, "LD_PRELOAD", "x")).unwrap();
    assert!(!peer.is_granted());
    for subsystem in ["sftp", "netconf", "SNMP", "snmp ", "snmp\0", ""] {
        peer.request_subsystem(subsystem);
        assert!(!peer.is_granted(), "{subsystem:?}");
    }
    peer.request_subsystem("snmp");
    assert!(peer.is_granted());
    RUNTIME.block_on(async {
        assert!(peer.handle.channel_open_direct_tcpip("127.0.0.1", 22, "127.0.0.1", 1).await.is_err());
        assert!(peer.handle.tcpip_forward("127.0.0.1", 0).await.is_err());
        assert!(peer.handle.channel_open_direct_streamlocal("/run/x").await.is_err());
    });
    peer.write_all(&frame(ECHO, b"still open")).unwrap();
    assert!(matches!(peer.wait(), Some(ChannelMsg::Data { .. })));
}

#[test]
fn t5_connection_is_closed_after_six_wrong_passwords() {
    let passwords = Arc::new(RejectingPasswords::default());
    let mut settings = settings();
    settings.authentication.password = Some(Arc::clone(&passwords) as _);
    let server = TestServer::with_ssh_settings(TransportKind::Ssh4, settings);
    RUNTIME.block_on(async {
        let config = Arc::new(client::Config::default());
        let mut handle = client::connect(config, server.address, AcceptAnyHostKey).await.unwrap();
        for _ in 0..20 {
            let result = handle.authenticate_password(USER, "guess").await;
            assert!(!result.is_ok_and(|result| result.success()));
        }
    });
    assert_eq!(passwords.answered.load(Relaxed), 6);
    server.wait_for_statistics("session close", |statistics| statistics.closed_handshake_failed == 1);
}

#[test]
fn t5_connection_is_closed_after_six_keyboard_interactive_attempts() {
    for answers in [1, 0, 2] {
        let passwords = Arc::new(RejectingPasswords::default());
        let mut settings = settings();
        settings.authentication.keyboard_interactive = Some(Arc::clone(&passwords) as _);
        let server = TestServer::with_ssh_settings(TransportKind::Ssh4, settings);
        RUNTIME.block_on(async {
            let config = Arc::new(client::Config::default());
            let mut handle = client::connect(config, server.address, AcceptAnyHostKey).await.unwrap();
            for _ in 0..20 {
                let started = handle.authenticate_keyboard_interactive_start(USER, None::<String>).await;
                if started.is_ok() {
                    let answers = vec!["guess".to_owned(); answers];
                    let _ = handle.authenticate_keyboard_interactive_respond(answers).await;
                }
            }
        });
        assert_eq!(passwords.begun.load(Relaxed), 6);
        assert_eq!(passwords.answered.load(Relaxed), if answers == 1 { 6 } else { 0 });
        server.wait_for_statistics("session close", |statistics| statistics.closed_handshake_failed == 1);
    }
}

#[test]
fn t_only_ten_channels_can_be_opened() {
    let server = TestServer::start(TransportKind::Ssh4);
    RUNTIME.block_on(async {
        let handle = authenticated(server.address, USER).await;
        let mut open = Vec::new();
        for _ in 0..10_000 {
            open.extend(handle.channel_open_session().await.ok());
        }
        assert_eq!(open.len(), 10);
    });
    server.peer().request(&frame(ECHO, b"1"));
}

/// The worker is blocked until the first requests have arrived, so that it handles them together.
#[test]
fn t_pipelined_opens_and_closes_neither_exceed_ten_sessions_nor_delay_udp() {
    let server = TestServer::start(TransportKind::Ssh4);
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    udp.connect(server.udp).unwrap();
    udp.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    let exchange = |request: &[u8]| {
        udp.send(request).unwrap();
        let mut response = vec![0; 100];
        let length = udp.recv(&mut response).unwrap();
        response.truncate(length);
        response
    };
    let mut peer = EncryptedSsh::log_in(&server, USER);
    let mut next = peer.open_channel(1000) + 1;
    let mut channels = move |count: u32| {
        next += count;
        next - count..next
    };
    udp.send(&frame(BLOCK, &[])).unwrap();
    server.gate.wait_until_blocked();
    peer.send_short_channels(channels(60));
    server.gate.release();
    assert!(peer.receive_open_replies(60) > 0, "no channel was refused");
    let flood = thread::spawn(move || {
        for _ in 0..40 {
            peer.send_short_channels(channels(50));
            peer.receive_open_replies(50);
        }
    });
    let mut exchanges = 0;
    while !flood.is_finished() {
        assert_eq!(exchange(&frame(ECHO, b"1")), frame(ECHO, b"1"));
        exchanges += 1;
    }
    flood.join().unwrap();
    assert!(exchanges >= 10, "{exchanges} exchanges during 40 rounds");
    assert!(server.statistics().sessions_opened > 10);
    let max_open = exchange(&frame(MAX_OPEN_SESSIONS, &[]));
    assert!(max_open[3..] <= 10_u32.to_be_bytes()[..], "{max_open:?}");
}

#[test]
fn t_lookalike_user_names_are_rejected() {
    let server = TestServer::start(TransportKind::Ssh4);
    let long = "o".repeat(65_536);
    let padded = format!("{USER}{}", " ".repeat(65_533));
    for name in [
        "ops\0x",
        "\0ops",
        "ops ",
        " ops",
        "OPS",
        "Ops",
        "оps",
        "ｏps",
        "ops\u{200b}",
        "ops\u{301}",
        "ops\n",
        "./ops",
        "x/../ops",
        "ops/",
        "ops/.",
        "",
        ".",
        &long,
        &padded,
    ] {
        RUNTIME.block_on(async {
            let config = Arc::new(client::Config::default());
            let mut handle = client::connect(config, server.address, AcceptAnyHostKey).await.unwrap();
            let key = PrivateKeyWithHashAlg::new(Arc::clone(&TEST_KEYS.key), None);
            let result = handle.authenticate_publickey(name, key).await;
            assert!(!result.is_ok_and(|result| result.success()), "{:?} was accepted", name.get(..9));
        });
    }
    server.peer().request(&frame(ECHO, b"1"));
}

#[test]
fn t_rekey_flood_closes_only_its_own_session() {
    let server = TestServer::start(TransportKind::Ssh4);
    let flood = RUNTIME.spawn({
        let address = server.address;
        async move {
            // These limits cause about one rekey per packet.
            let limits = russh::Limits::new(1, 1, Duration::from_secs(3600));
            let config = client::Config { limits, nodelay: true, ..client::Config::default() };
            let mut handle = client::connect(Arc::new(config), address, AcceptAnyHostKey).await.unwrap();
            let key = PrivateKeyWithHashAlg::new(Arc::clone(&TEST_KEYS.key), None);
            assert!(handle.authenticate_publickey(USER, key).await.unwrap().success());
            let mut rounds = 0_u32;
            // Each ping causes packets, and the packets cause rekeys. None of the packets contains
            // an SNMP message.
            while handle.send_ping().await.is_ok() {
                rounds += 1;
            }
            rounds
        }
    });
    let mut other = server.peer();
    let mut exchanges = 0;
    while !flood.is_finished() {
        other.request(&frame(ECHO, b"1"));
        exchanges += 1;
    }
    let rounds = RUNTIME.block_on(flood).unwrap();
    assert!(exchanges >= 5, "{exchanges} exchanges during {rounds} rounds");
    // The server allows 60 key exchanges in a minute.
    assert!((10..100).contains(&rounds), "{rounds} rounds");
    server.wait_for_statistics("session close", |statistics| statistics.closed_malformed_message == 1);
}

#[test]
fn review_h1_connection_is_closed_after_64_kib_without_login() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = EncryptedSsh::client(&server);
    peer.request_service();
    // The protocol ignores this message (RFC 4253 §11.2), so no other limit counts it and no
    // response is sent.
    let padding = [&[IGNORE][..], &1000_u32.to_be_bytes(), &[0; 1000]].concat();
    for _ in 0..80 {
        peer.send(&padding);
    }
    server.wait_for_statistics("session close", |statistics| statistics.closed_handshake_failed == 1);
    server.peer().request(&frame(ECHO, b"1"));
}

#[test]
fn t_window_overflow_closes_only_its_own_session() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut other = server.peer();
    for is_served in [false, true] {
        let mut peer = EncryptedSsh::log_in(&server, USER);
        let channel = peer.open_channel(100_000);
        if is_served {
            peer.request_subsystem(channel);
            // Extend the window to the largest size that does not overflow; the session must still
            // respond.
            peer.open_window(channel, u32::MAX - 1 - 100_000);
            peer.send_data(channel, &frame(ECHO, b"1"));
            peer.receive_message(CHANNEL_DATA);
            peer.open_window(channel, u32::MAX);
        } else {
            peer.open_window(channel, u32::MAX - 100_000 + 1);
        }
        let disconnect = peer.receive_message(DISCONNECT);
        assert_eq!(disconnect[1..5], PROTOCOL_ERROR.to_be_bytes(), "{disconnect:?}");
        assert_eq!(peer.receive(), None);
        assert_eq!(other.request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
    }
    server.wait_for_statistics("both closes", |statistics| statistics.closed_by_error == 2);
    server.peer().request(&frame(ECHO, b"a new login"));
}

#[test]
fn data_sent_before_the_subsystem_request_closes_the_session() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = SshPeer::connect(server.address, USER);
    let _ = peer.write_all(&frame(ECHO, b"1"));
    assert_eq!(peer.read(&mut [0; 16]).unwrap(), 0);
    server.wait_for_statistics("session close", |statistics| statistics.closed_by_error == 1);
    server.peer().request(&frame(ECHO, b"1"));
}

#[test]
fn user_without_security_name_is_disconnected() {
    let server = TestServer::start(TransportKind::Ssh4);
    RUNTIME.block_on(async {
        let handle = authenticated(server.address, UNNAMED_USER).await;
        assert!(handle.channel_open_session().await.is_err());
    });
    server.wait_for_statistics("session close", |statistics| statistics.closed_no_security_name == 1);
}

#[test]
fn non_ssh_connection_is_closed() {
    let server = TestServer::start(TransportKind::Ssh4);
    for octets in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"SSH-1.5-old\r\n",
        &[0xff; 3000],
        b"SSH-2.0-x\r\n\xff\xff\xff\xff\xff\xff\xff\xff",
        b"SSH-2.0-x\r\n\0\0\0\0\0\0\0\0\0\0\0\0",
    ] {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.write_all(octets).unwrap();
        // Ignore errors: the connection may already be closed.
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    }
    server.wait_for_statistics("five closes", |statistics| statistics.closed_handshake_failed == 5);
    server.peer().request(&frame(ECHO, b"1"));
}

#[test]
fn t_panic_while_handling_a_message_closes_only_that_session() {
    let server = TestServer::start(TransportKind::Ssh4);
    let (mut good, mut bad) = (server.peer(), server.peer());
    bad.send(&frame(PANIC, &[]));
    assert!(bad.is_closed());
    assert_eq!(good.request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
    assert_eq!(server.statistics().closed_by_panic, 1);
}

#[test]
fn t_session_of_peer_that_does_not_read_is_closed_after_stall_timeout() {
    let limits = Limits { stall_timeout: Duration::from_secs(2), ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Ssh4, 1, limits);
    let mut peer = SshPeer::log_in(server.address);
    // Requests whose responses total about 60 MB; the test does not read from the channel, so the
    // client does not enlarge its window.
    let requests = frame(LARGE, &[]).repeat(1000);
    let writer = thread::spawn(move || {
        let _ = peer.write_all(&requests);
        thread::sleep(Duration::from_secs(3));
        peer
    });
    server.peer().request(&frame(ECHO, b"1"));
    assert_eq!(server.statistics().closed_stalled, 0, "the other peer waited until the session was closed");
    server.wait_for_statistics("session close", |statistics| statistics.closed_stalled == 1);
    drop(writer.join().unwrap());
}

#[test]
fn t_session_of_peer_with_a_full_window_is_closed_after_stall_timeout() {
    let limits = Limits { stall_timeout: Duration::from_millis(500), ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Ssh4, 1, limits);
    let mut peer = EncryptedSsh::log_in(&server, USER);
    let channel = peer.open_session(1000);
    let requests: Vec<u8> = (1..=5).flat_map(|moments| frame(LARGE_DEFERRED, &[moments])).collect();
    peer.send_data(channel, &requests);
    server.peer().request(&frame(ECHO, b"1"));
    server.wait_for_statistics("session close", |statistics| statistics.closed_stalled == 1);
}

#[test]
fn slow_reader_is_not_closed_after_stall_timeout() {
    let limits = Limits { stall_timeout: Duration::from_secs(1), ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Ssh4, 1, limits);
    let mut peer = EncryptedSsh::log_in(&server, USER);
    let channel = peer.open_session(2000);
    peer.send_data(channel, &frame(LARGE, &[]));
    let mut unread = frame(LARGE, &[7; 60_000]).len();
    let start = Instant::now();
    while unread > 0 {
        // The message contains its number, the channel and the length of the data.
        unread -= peer.receive_message(CHANNEL_DATA).len() - 9;
        thread::sleep(Duration::from_millis(60));
        peer.open_window(channel, 2000);
    }
    assert!(start.elapsed() > Duration::from_millis(1500), "the peer has read everything at once");
    assert_eq!(server.statistics().closed_stalled, 0);
}

#[test]
fn idle_session_is_closed() {
    let limits = Limits { idle_timeout: Duration::from_millis(100), ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Ssh4, 1, limits);
    let mut peer = server.peer();
    peer.request(&frame(ECHO, b"1"));
    assert!(peer.is_closed());
    assert_eq!(server.statistics().closed_idle, 1);
}

/// Rejects all passwords, and counts prompts and answers.
#[derive(Debug, Default)]
struct RejectingPasswords {
    begun: AtomicUsize,
    answered: AtomicUsize,
}

impl PasswordVerifier for RejectingPasswords {
    fn verify(&self, _: &str, _: IpAddr, applicant: &mut dyn LoginDialog) -> Result<(), LoginError> {
        self.begun.fetch_add(1, Relaxed);
        let question = LoginPrompt { text: "Password: ".into(), echo: false };
        self.answered.fetch_add(applicant.prompt(vec![question]).map_or(0, |answers| answers.len()), Relaxed);
        Err(LoginError::BadCredentials)
    }
}

/// Message numbers reserved for the key exchange (RFC 4250 §4.1.1).
const KEY_EXCHANGE: std::ops::RangeInclusive<u8> = 20..=49;
/// The message number of SSH_MSG_IGNORE.
const IGNORE: u8 = 2;
/// The reason code SSH_DISCONNECT_PROTOCOL_ERROR (RFC 4253 §11.1).
const PROTOCOL_ERROR: u32 = 2;
/// So long that a login that waits for it fails.
const LONGER_THAN_TEST: Duration = Duration::from_secs(600);
