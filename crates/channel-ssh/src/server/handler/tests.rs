use std::{
    cell::RefCell,
    future::poll_fn,
    net::Ipv4Addr,
    pin::pin,
    rc::Rc,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    task::Poll,
    time::{Duration, Instant},
};

use portreeve_channel::{AccountVerifier, LoginDialog, LoginError, LoginPrompt, PasswordVerifier};
use russh::keys::{Algorithm, PrivateKey, PublicKey, ssh_key::encoding::Decode};
use tokio::{
    runtime::Builder,
    task::{LocalSet, spawn_local, yield_now},
};

use super::*;
use crate::server::{
    Authentication, Direction, HostKeys, KeyFiles, LoginRefusalReason, PasswordLimits, ServerSettings,
    authentication::PasswordPool,
};

/// Asks for a password, and rejects every login.
#[derive(Debug, Default)]
struct RejectingVerifier(AtomicUsize);

impl PasswordVerifier for RejectingVerifier {
    fn verify(&self, _: &str, _: IpAddr, applicant: &mut dyn LoginDialog) -> Result<(), LoginError> {
        self.0.fetch_add(1, Relaxed);
        applicant.prompt(vec![LoginPrompt { text: "Password: ".into(), echo: false }]);
        Err(LoginError::BadCredentials)
    }
}

#[test]
fn t5_connection_is_closed_at_seventh_unanswered_login_attempt() {
    let verifier = Arc::new(RejectingVerifier::default());
    let authentication = Authentication {
        keyboard_interactive: Some(Arc::clone(&verifier) as _),
        ..Authentication::default()
    };
    let mut handler = handler(authentication);
    run(async {
        for _ in 0..6 {
            let asked = handler.auth_keyboard_interactive("ops", "", None).await.unwrap();
            assert!(matches!(asked, Auth::Partial { .. }), "{asked:?}");
        }
        let cut = handler.auth_keyboard_interactive("ops", "", None).await;
        assert!(matches!(cut, Err(HandlerError::TooManyAttempts)), "{cut:?}");
    });
    assert_eq!(verifier.0.load(Relaxed), 6);
    assert_eq!(handler.statistics.refused(LoginRefusalReason::TooManyAttempts), 1);
}

#[test]
fn session_answers_received_data_before_russh_continues() {
    let runtime = Builder::new_current_thread().build().unwrap();
    LocalSet::new().block_on(&runtime, async {
        let steps = Rc::new(RefCell::new(Vec::new()));
        let (mut handler, buffers, id) = handler_with_channel();
        let (unread, seen) = (Arc::clone(&buffers), Rc::clone(&steps));
        let session = spawn_local(async move {
            poll_fn(|context| unread.poll_ready(Direction::Read, context)).await;
            seen.borrow_mut().push("answer");
        });
        yield_now().await;
        let seen = Rc::clone(&steps);
        let connection = spawn_local(async move {
            handler.receive(id, b"request").await.unwrap();
            seen.borrow_mut().push("next packet");
        });
        session.await.unwrap();
        connection.await.unwrap();
        assert_eq!(*steps.borrow(), ["answer", "next packet"]);
    });
}

#[test]
fn empty_and_discarded_data_do_not_extend_the_limit_of_other_traffic() {
    let (mut handler, buffers, id) = handler_with_channel();
    let stats = Arc::clone(&handler.stats);
    stats.set_logged_in();
    run(async {
        stats.record_read(2 << 20);
        assert!(stats.exceeds_idle_traffic());
        handler.receive(id, b"").await.unwrap();
        assert!(stats.exceeds_idle_traffic());
        handler.receive(id, b"1").await.unwrap();
        assert!(!stats.exceeds_idle_traffic());
        buffers.close();
        stats.record_read(2 << 20);
        handler.receive(id, b"1").await.unwrap();
        assert!(stats.exceeds_idle_traffic());
    });
}

/// The window of a peer, as russh extends it: before the octets are passed on, to the size that the
/// handler returned the last time.
struct PeerWindow {
    left: usize,
    target: usize,
}

impl PeerWindow {
    /// Sends as many octets as the window allows, up to this many.
    async fn send(&mut self, octets: usize, handler: &mut ConnectionHandler, id: ChannelId) -> usize {
        let count = octets.min(self.left);
        self.left -= count;
        if self.left < self.target / 2 {
            self.left = self.target;
            self.target = handler.adjust_window(id, self.target as u32) as usize;
        }
        handler.receive(id, &vec![0; count]).await.expect("the peer respects its window");
        count
    }
}

/// A session that is paused for half an hour must not lose its connection: the peer uses only what
/// it was granted.
#[test]
fn peer_that_uses_every_octet_of_its_window_is_not_regarded_as_violating_it() {
    const WINDOW: usize = settings::WINDOW as usize;
    const PACKET: usize = settings::MAX_PACKET as usize;
    let (mut handler, buffers, id) = handler_with_channel();
    run(async {
        // russh extends the window when so many octets are unread that one more would be too many.
        let mut window = PeerWindow { left: WINDOW, target: WINDOW };
        window.send(WINDOW / 2 - 64 * 1024, &mut handler, id).await;
        buffers.try_read(&mut [0; WINDOW]).unwrap();
        window.send(64 * 1024, &mut handler, id).await;
        assert!(!buffers.is_input_congested());
        // Nothing more is read.
        while window.left > 2 {
            window.send(PACKET, &mut handler, id).await;
        }
        let started = Instant::now();
        assert_eq!(window.send(PACKET, &mut handler, id).await, 2);
        assert!(started.elapsed() >= CONGESTED_DELAY);
    });
    let small_parts = (0..).take_while(|_| buffers.push(&[0; 2], false).is_ok()).count();
    let duration = CONGESTED_DELAY * u32::try_from(small_parts).unwrap();
    assert!(duration >= Duration::from_secs(30 * 60), "{duration:?} until the buffer is full");
}

/// A delay after each full buffer would make a long request many times slower.
#[test]
fn connection_that_waits_for_a_session_continues_when_the_session_has_read() {
    let (mut handler, buffers, id) = handler_with_channel();
    buffers.push(&vec![0; 100 * 1024], false).unwrap();
    run(async {
        let mut receiving = pin!(handler.receive(id, b"12"));
        let mut poll = async || poll_fn(|context| Poll::Ready(receiving.as_mut().poll(context))).await;
        let _ = poll().await;
        buffers.try_read(&mut [0; 64 * 1024]).unwrap();
        // The session gets one turn to answer.
        assert!(poll().await.is_ready() || poll().await.is_ready());
    });
}

#[test]
fn b_interactive_answers_under_another_user_name_are_rejected() {
    let verifier = Arc::new(RejectingVerifier::default());
    let authentication = Authentication { keyboard_interactive: Some(verifier), ..Authentication::default() };
    let mut handler = handler(authentication);
    run(async {
        handler.start_interactive("ops").await.unwrap();
        let answered = handler.submit_answers("root", vec![b"open"]).await.unwrap();
        assert!(matches!(answered, Auth::Reject { .. }), "{answered:?}");
        assert!(handler.identity.is_none());
        // A login result, too, is valid only for the user who logged in.
        handler.interactive = InteractiveState::NoticeSent { user: "ops".into(), accepted: true };
        let answered = handler.submit_answers("root", Vec::<&[u8]>::new()).await.unwrap();
        assert!(matches!(answered, Auth::Reject { .. }), "{answered:?}");
        handler.interactive = InteractiveState::NoticeSent { user: "ops".into(), accepted: false };
        let answered = handler.submit_answers("ops", Vec::<&[u8]>::new()).await.unwrap();
        assert!(matches!(answered, Auth::Reject { .. }), "{answered:?}");
        assert!(handler.identity.is_none());
    });
}

#[test]
fn review_h1_connection_is_closed_at_seventeenth_public_key_offer() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    let mut handler = handler(listing(&folder, &key));
    run(async {
        for _ in 0..16 {
            let offered = handler.authorize_offer("ops", &Algorithm::Ed25519, key.key_data()).await.unwrap();
            assert_eq!(offered, Auth::Accept);
        }
        let cut = handler.authorize_offer("ops", &Algorithm::Ed25519, key.key_data()).await;
        assert!(matches!(cut, Err(HandlerError::TooManyAttempts)), "{cut:?}");
    });
    assert_eq!(handler.statistics.refused(LoginRefusalReason::TooManyKeys), 1);
}

#[test]
fn review_h1_each_public_key_offer_is_charged_until_the_login_succeeds() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    let mut handler = handler(listing(&folder, &key));
    run(async {
        for _ in 0..10 {
            handler.authorize_offer("ops", &Algorithm::Ed25519, key.key_data()).await.unwrap();
        }
    });
    assert!(handler.progress.charged() >= Duration::from_millis(3), "{:?}", handler.progress.charged());
    handler.progress.refund();
    assert_eq!(handler.progress.charged(), Duration::ZERO);
}

#[test]
fn review_h1_key_files_are_read_without_blocking_the_worker_thread() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    let mut handler = handler(listing(&folder, &key));
    run(async {
        let mut offer = pin!(handler.authorize_offer("ops", &Algorithm::Ed25519, key.key_data()));
        let first = poll_fn(|context| Poll::Ready(offer.as_mut().poll(context))).await;
        assert!(first.is_pending(), "{first:?}");
        assert_eq!(offer.await.unwrap(), Auth::Accept);
    });
}

/// Reports that every account has expired.
#[derive(Debug)]
struct ExpiredAccounts;

impl AccountVerifier for ExpiredAccounts {
    fn verify_account(&self, user: &str, address: IpAddr) -> Result<(), LoginError> {
        assert_eq!((user, address), ("ops", Ipv4Addr::LOCALHOST.into()));
        Err(LoginError::AccountExpired)
    }
}

#[test]
fn review_l7_public_key_login_to_an_expired_account_is_refused() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    let account: Option<Arc<dyn AccountVerifier>> = Some(Arc::new(ExpiredAccounts));
    for (account, is_accepted) in [(None, true), (account, false)] {
        let mut handler = handler(Authentication { account, ..listing(&folder, &key) });
        let result = run(async {
            handler.authorize_offer("ops", &Algorithm::Ed25519, key.key_data()).await.unwrap();
            handler.authorize_key("ops", key.key_data()).await.unwrap()
        });
        assert_eq!(result == Auth::Accept, is_accepted, "{result:?}");
        assert_eq!(handler.statistics.refused(LoginRefusalReason::AccountExpired), u64::from(!is_accepted));
    }
}

fn key() -> PublicKey {
    PrivateKey::random(&mut rand::rng(), Algorithm::Ed25519).unwrap().public_key().clone()
}

/// Returns an authentication whose key file lists this key for every user.
fn listing(folder: &tempfile::TempDir, key: &PublicKey) -> Authentication {
    let file = folder.path().join("keys");
    std::fs::write(&file, key.to_openssh().unwrap()).unwrap();
    let key_files = KeyFiles::new([file.to_str().unwrap()]).unwrap();
    Authentication { key_files, ..Authentication::default() }
}

fn run<F: Future>(future: F) -> F::Output {
    Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

/// Creates a handler with one channel on which a subsystem is open.
fn handler_with_channel() -> (ConnectionHandler, Arc<ChannelBuffers>, ChannelId) {
    let mut handler = handler(Authentication::default());
    let (buffers, id) = (Arc::<ChannelBuffers>::default(), ChannelId::decode(&mut &[0; 4][..]).unwrap());
    let state = ChannelState::InUse(Arc::clone(&buffers));
    let channel = OpenChannel { id, state, is_closed_by_peer: false };
    handler.channels.push(channel);
    (handler, buffers, id)
}

/// Creates a connection's handler.
fn handler(authentication: Authentication) -> ConnectionHandler {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("host");
    let key = PrivateKey::random(&mut rand::rng(), Algorithm::Ed25519).unwrap();
    key.write_openssh_file(&path, russh::keys::ssh_key::LineEnding::LF).unwrap();
    let settings = ServerSettings::new(HostKeys::load(&[path]).unwrap(), authentication);
    let pool = Arc::new(PasswordPool::new(PasswordLimits::default()));
    let current = Arc::new(ActiveSettings::new(settings, pool));
    let progress = ConnectionProgress::new(Ipv4Addr::LOCALHOST.into(), Arc::default(), Arc::default());
    ConnectionHandler::new(
        Arc::new(progress),
        current,
        TrafficSettings::default(),
        Arc::default(),
        Arc::default(),
        SshEvents::default(),
    )
}
