//! Kept sessions, their lifetime, and the end of a command, a broker or an agent.

use portreeve_broker_protocol::{Frame, SessionRequest, Transport};
use portreeve_channel::ChannelStep;

use super::fixture::{TIMEOUT, TestAgent, TestUser, echo, end, message_of, wait_until};

#[test]
fn session_is_reused_by_later_commands_and_expires() {
    for transport in [Transport::Tls, Transport::Dtls] {
        let user = TestUser::new();
        let agent = TestAgent::start(&user, transport);
        let (mut broker, mut first) = user.start_broker_and_connect(&agent, 1);
        assert_eq!(echo(&mut first, "1"), "1 ops");
        end(first);
        for n in 0..5 {
            let (mut next, _) = user.connect(&user.session_request(&agent, 1)).unwrap();
            assert_eq!(echo(&mut next, &n.to_string()), format!("{n} ops"));
            end(next);
        }
        assert_eq!(agent.sessions(), 1, "{transport:?}");
        broker.wait_for_exit();
        assert!(!user.socket_path().socket().exists(), "its socket is removed");
    }
}

#[test]
fn command_without_persist_leaves_a_kept_session_open() {
    for transport in [Transport::Tls, Transport::Dtls] {
        let user = TestUser::new();
        let agent = TestAgent::start(&user, transport);
        let (_broker, mut first) = user.start_broker_and_connect(&agent, 60);
        assert_eq!(echo(&mut first, "1"), "1 ops");
        end(first);
        for (n, persist) in [0, 60, 0, 0, 60].into_iter().enumerate() {
            let (mut next, _) = user.connect(&user.session_request(&agent, persist)).unwrap();
            assert_eq!(echo(&mut next, &n.to_string()), format!("{n} ops"));
            end(next);
        }
        assert_eq!(agent.sessions(), 1, "{transport:?}");
    }
}

#[test]
fn session_opened_without_persist_is_closed_beside_kept_sessions() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let (mut broker, mut keeping) = user.start_broker_and_connect(&agent, 1);
    assert_eq!(echo(&mut keeping, "1"), "1 ops");
    // The kept session is in use, so this command opens one of its own.
    let (mut second, _) = user.connect(&user.session_request(&agent, 0)).unwrap();
    assert_eq!(echo(&mut second, "2"), "2 ops");
    end(second);
    let (mut third, _) = user.connect(&user.session_request(&agent, 0)).unwrap();
    assert_eq!(echo(&mut third, "3"), "3 ops");
    assert_eq!(agent.sessions(), 3, "the second session was not kept");
    drop((third, keeping));
    broker.wait_for_exit();
}

#[test]
fn session_and_socket_are_not_kept_when_persist_is_zero() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let (mut broker, mut connection) = user.start_broker_and_connect(&agent, 0);
    assert_eq!(echo(&mut connection, "x"), "x ops");
    assert!(!user.socket_path().socket().exists());
    drop(connection);
    broker.wait_for_exit();
}

#[test]
fn concurrent_commands_use_separate_sessions() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let (_broker, mut first) = user.start_broker_and_connect(&agent, 60);
    let (mut second, _) = user.connect(&user.session_request(&agent, 60)).unwrap();
    assert_eq!((echo(&mut first, "1"), echo(&mut second, "2")), ("1 ops".into(), "2 ops".into()));
    assert_eq!(agent.sessions(), 2);
}

#[test]
fn command_with_another_certificate_uses_its_own_session() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let (_broker, mut first) = user.start_broker_and_connect(&agent, 60);
    assert_eq!(echo(&mut first, "1"), "1 ops");
    end(first);
    let (mut second, _) = user.connect(&as_boss(&user, user.session_request(&agent, 60))).unwrap();
    assert_eq!(echo(&mut second, "2"), "2 boss");
}

#[test]
fn command_that_disconnects_does_not_affect_other_commands() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let (mut broker, mut steady) = user.start_broker_and_connect(&agent, 60);
    for n in 0..20 {
        // The connection is closed in the middle of the request, in the middle of a message, and
        // while a response is being sent.
        let request = user.session_request(&agent, 60);
        let socket = user.socket_path().connect().unwrap();
        let octets = Frame::Request(request.clone()).encode().unwrap();
        std::io::Write::write_all(&mut &socket, &octets[..octets.len() / 2]).unwrap();
        drop(socket);
        let (mut cut, _) = user.connect(&request).unwrap();
        cut.send(&message_of(b"late")[..3]).unwrap();
        drop(cut);
        let (mut hasty, _) = user.connect(&request).unwrap();
        hasty.send(&message_of(b"unread")).unwrap();
        drop(hasty);
        assert_eq!(echo(&mut steady, &n.to_string()), format!("{n} ops"));
    }
    let (mut next, _) = user.connect(&user.session_request(&agent, 60)).unwrap();
    // A response to an earlier command may arrive first; a command recognizes its own by the
    // request-id.
    next.send(&message_of(b"mine")).unwrap();
    wait_until(
        "its own response",
        || matches!(next.receive(TIMEOUT), Ok(Some(Frame::Message(m))) if m.ends_with(b"mine ops")),
    );
    assert!(broker.is_alive());
}

#[test]
fn next_command_after_an_agent_restart_uses_a_new_session() {
    for transport in [Transport::Tls, Transport::Dtls] {
        let user = TestUser::new();
        // Another command keeps the broker running, which otherwise exits when its last session
        // ends.
        let other = TestAgent::start(&user, Transport::Tls);
        let (_broker, _connection) = user.start_broker_and_connect(&other, 60);
        let mut agent = TestAgent::start(&user, transport);
        let (mut first, _) = user.connect(&user.session_request(&agent, 60)).unwrap();
        assert_eq!(echo(&mut first, "1"), "1 ops");
        end(first);
        let address = agent.address.to_string();
        agent.stop();
        let agent = TestAgent::start_ipv4(&user, transport, &address);
        let (mut second, _) = user.connect(&user.session_request(&agent, 60)).unwrap();
        assert_eq!(echo(&mut second, "2"), "2 ops", "{transport:?}");
        assert_eq!(agent.sessions(), 1);
    }
}

#[test]
fn waiting_command_receives_an_error_when_the_agent_shuts_down() {
    let user = TestUser::new();
    let mut agent = TestAgent::start(&user, Transport::Tls);
    let (_broker, mut connection) = user.start_broker_and_connect(&agent, 60);
    agent.stop();
    match connection.receive(TIMEOUT).unwrap() {
        Some(Frame::Failed(error)) => assert_eq!(error.step, ChannelStep::Data, "{error}"),
        other => panic!("{other:?}"),
    }
}

fn as_boss(user: &TestUser, mut request: SessionRequest) -> SessionRequest {
    for (_, path) in &mut request.options {
        *path = path.replace("ops.", "boss.");
    }
    assert!(user.file("boss.pem").exists());
    request
}
