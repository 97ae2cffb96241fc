use std::{
    net::Ipv4Addr,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use portreeve_channel::{Applicant, Denial, JudgeQuestion, PasswordJudge};
use russh::keys::PrivateKey;
use tokio::runtime::Builder;

use super::*;
use crate::server::{
    Authentication, HostKeys, PasswordLimits, Refusal, Remote, Settings, authentication::PasswordPool,
    host::Host, registry::Registration,
};

/// Asks for a password, and lets nobody in.
#[derive(Debug, Default)]
struct Doorkeeper(AtomicUsize);

impl PasswordJudge for Doorkeeper {
    fn judge(&self, _: &str, _: IpAddr, applicant: &mut dyn Applicant) -> Result<(), Denial> {
        self.0.fetch_add(1, Relaxed);
        applicant.ask(vec![JudgeQuestion { prompt: "Password: ".into(), echo: false }]);
        Err(Denial::NotProven)
    }
}

#[test]
fn t5_whoever_begins_again_and_again_without_an_answer_is_cut() {
    let judge = Arc::new(Doorkeeper::default());
    let authentication =
        Authentication { keyboard_interactive: Some(Arc::clone(&judge) as _), ..Authentication::default() };
    let (mut handler, _registration) = handler(authentication);
    run(async {
        for _ in 0..6 {
            let asked = handler.auth_keyboard_interactive("ops", "", None).await.unwrap();
            assert!(matches!(asked, Auth::Partial { .. }), "{asked:?}");
        }
        let cut = handler.auth_keyboard_interactive("ops", "", None).await;
        assert!(matches!(cut, Err(Failure::Tries)), "{cut:?}");
    });
    assert_eq!(judge.0.load(Relaxed), 6);
    assert_eq!(handler.statistics.refused(Refusal::TooManyTries), 1);
}

#[test]
fn b_answers_are_the_user_s_who_was_asked() {
    let judge = Arc::new(Doorkeeper::default());
    let authentication = Authentication { keyboard_interactive: Some(judge), ..Authentication::default() };
    let (mut handler, _registration) = handler(authentication);
    run(async {
        handler.ask_questions("ops").await.unwrap();
        let answered = handler.take_answers("root", vec![b"open"]).await.unwrap();
        assert!(matches!(answered, Auth::Reject { .. }), "{answered:?}");
        assert!(handler.identity.is_none());
        // A verdict is the user's too.
        handler.questioning = Questioning::Told { user: "ops".into(), accepted: true };
        let answered = handler.take_answers("root", Vec::<&[u8]>::new()).await.unwrap();
        assert!(matches!(answered, Auth::Reject { .. }), "{answered:?}");
        handler.questioning = Questioning::Told { user: "ops".into(), accepted: false };
        let answered = handler.take_answers("ops", Vec::<&[u8]>::new()).await.unwrap();
        assert!(matches!(answered, Auth::Reject { .. }), "{answered:?}");
        assert!(handler.identity.is_none());
    });
}

fn run<F: Future>(future: F) -> F::Output {
    Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

/// A connection's handler, and its place among the thread's.
fn handler(authentication: Authentication) -> (ConnectionHandler, Registration) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("host");
    let key = PrivateKey::random(&mut rand::rng(), russh::keys::Algorithm::Ed25519).unwrap();
    key.write_openssh_file(&path, russh::keys::ssh_key::LineEnding::LF).unwrap();
    let settings = Settings::new(HostKeys::load(&[path]).unwrap(), authentication);
    let pool = Arc::new(PasswordPool::new(PasswordLimits::default()));
    let current = Arc::new(Current::new(settings, pool));
    let peer = Ipv4Addr::LOCALHOST.into();
    let registration = Registration::new(Rc::new(Nothing), peer, Arc::default());
    let window = WindowPolicy::default();
    let handler = ConnectionHandler::new(registration.number(), current, Arc::default(), peer, window);
    (handler, registration)
}

/// Serves nothing.
struct Nothing;

impl Host for Nothing {
    fn connected(&self, _: Remote) {}

    fn authenticated(&self, _: &PeerIdentity) -> bool {
        false
    }

    fn open(&self, _: ChannelNumber, _: &str) -> bool {
        false
    }

    fn receive(&self, _: &mut Output<'_>, _: &[u8]) -> Onward {
        Onward::Disconnect
    }

    fn writable(&self, _: &mut Output<'_>) -> Onward {
        Onward::Disconnect
    }

    fn ended(&self, _: &mut Output<'_>) -> Onward {
        Onward::Disconnect
    }

    fn closed(&self, _: ChannelNumber) {}

    fn is_congested(&self, _: ChannelNumber) -> bool {
        false
    }
}
