use super::*;
use crate::client::ClientSettings;

#[test]
fn host_key_question_remains_queued_despite_repeated_key_exchanges() {
    let (events, mut received) = mpsc::channel(HandshakeEvent::QUEUE_CAPACITY);
    let settings = ClientSettings { config_files: Vec::new(), ..ClientSettings::current() };
    let target = SshTarget::look_up("gw", None, None, &settings).unwrap();
    let handler = ClientHandler::new(target, KnownHosts::default(), events, Arc::default(), Arc::default());
    let (answer, _answered) = oneshot::channel();
    let key = [&[0, 0, 0, 11][..], b"ssh-ed25519", &[0, 0, 0, 32], &[9; 32]].concat();
    let key = HostKey::new(key).unwrap();
    handler.emit(HandshakeEvent::HostKeyReceived(Vec::new()));
    handler.emit(HandshakeEvent::HostKeyUnknown(HostKeyQuestion { key, other_key_at: None, answer }));
    for _ in 0..100_000 {
        handler.emit(HandshakeEvent::Negotiated(Vec::new()));
    }
    assert_eq!(received.len(), HandshakeEvent::QUEUE_CAPACITY);
    assert!(matches!(received.try_recv(), Ok(HandshakeEvent::HostKeyReceived(_))));
    assert!(matches!(received.try_recv(), Ok(HandshakeEvent::HostKeyUnknown(_))));
    assert!(matches!(received.try_recv(), Ok(HandshakeEvent::Negotiated(_))));
}
