use super::*;
use crate::client::ClientSettings;

#[test]
fn what_is_agreed_on_again_and_again_takes_no_room_from_the_question() {
    let (news, mut heard) = mpsc::channel(News::ROOM);
    let settings = ClientSettings { config_files: Vec::new(), ..ClientSettings::current() };
    let target = SshTarget::look_up("gw", None, None, &settings).unwrap();
    let guard = Guard::new(target, KnownHosts::default(), news, Arc::default(), Arc::default());
    let (answer, _answered) = oneshot::channel();
    let key = [&[0, 0, 0, 11][..], b"ssh-ed25519", &[0, 0, 0, 32], &[9; 32]].concat();
    let key = HostKey::new(key).unwrap();
    guard.tell(News::Shown(Vec::new()));
    guard.tell(News::Unknown(HostKeyQuestion { key, other: None, answer }));
    for _ in 0..100_000 {
        guard.tell(News::Agreed(Vec::new()));
    }
    assert_eq!(heard.len(), News::ROOM);
    assert!(matches!(heard.try_recv(), Ok(News::Shown(_))));
    assert!(matches!(heard.try_recv(), Ok(News::Unknown(_))));
    assert!(matches!(heard.try_recv(), Ok(News::Agreed(_))));
}
