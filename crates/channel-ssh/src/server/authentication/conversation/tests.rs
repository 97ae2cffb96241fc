use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::{
    runtime::Builder,
    time::{sleep, timeout},
};

use super::*;
use crate::server::PasswordLimits;

const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

fn question(prompt: &str, echo: bool) -> LoginPrompt {
    LoginPrompt { text: prompt.to_owned(), echo }
}

/// Asks the configured questions, and accepts the answer `open`.
#[derive(Debug, Default)]
struct ScriptedVerifier {
    rounds: Vec<Vec<LoginPrompt>>,
    answers_seen: Mutex<Vec<Option<Vec<String>>>>,
}

impl PasswordVerifier for ScriptedVerifier {
    fn verify(&self, user: &str, _: IpAddr, applicant: &mut dyn LoginDialog) -> Result<(), LoginError> {
        let mut good = user == "ops";
        for round in &self.rounds {
            applicant.show_notice("notice");
            let answers = applicant.prompt(round.clone());
            let words = answers.as_ref().map(|answers| {
                answers.iter().map(|secret| String::from_utf8_lossy(secret.expose()).into_owned()).collect()
            });
            self.answers_seen.lock().unwrap().push(words);
            good &= answers.is_some_and(|answers| answers.iter().all(|answer| answer.expose() == b"open"));
        }
        applicant.show_notice("goodbye");
        if good { Ok(()) } else { Err(LoginError::BadCredentials) }
    }
}

fn pool(limits: PasswordLimits) -> Arc<PasswordPool> {
    Arc::new(PasswordPool::new(limits))
}

fn run<F: Future>(future: F) -> F::Output {
    Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

#[test]
fn questions_and_answers_pass_between_peer_and_verifier() {
    let rounds =
        vec![vec![question("Password: ", false)], vec![question("Code: ", true), question("Pin: ", false)]];
    let verifier = Arc::new(ScriptedVerifier { rounds: rounds.clone(), ..ScriptedVerifier::default() });
    run(async {
        let mut conversation = LoginConversation::start(
            Arc::clone(&verifier) as _,
            pool(PasswordLimits::default()),
            "ops",
            HERE,
        )
        .await
        .unwrap();
        for round in rounds {
            let ConversationEvent::Questions { notices, questions } = conversation.next_event().await else {
                panic!("no question")
            };
            assert_eq!((notices.as_str(), &questions), ("notice\n", &round));
            conversation.submit_answers(round.iter().map(|_| Secret::from("open")).collect()).await.unwrap();
        }
        let ConversationEvent::Finished { notices, result } = conversation.next_event().await else {
            panic!("no result")
        };
        assert_eq!((notices.as_str(), result), ("goodbye\n", Ok(())));
    });
}

#[test]
fn password_answers_hidden_questions_only() {
    let hidden = vec![question("Password: ", false)];
    let shown = vec![question("Name: ", true)];
    for (rounds, password, expected) in [
        (vec![hidden.clone()], "open", Ok(())),
        (vec![hidden.clone(), hidden.clone()], "open", Ok(())),
        (vec![hidden.clone()], "guess", Err(LoginRefusalReason::Password)),
        (vec![hidden.clone()], "op\0en", Err(LoginRefusalReason::Password)),
        (vec![shown], "open", Err(LoginRefusalReason::PasswordNotEnough)),
        (vec![hidden; 9], "open", Err(LoginRefusalReason::PasswordNotEnough)),
    ] {
        let verifier = Arc::new(ScriptedVerifier { rounds, ..ScriptedVerifier::default() });
        let result = run(async {
            let conversation =
                LoginConversation::start(verifier, pool(PasswordLimits::default()), "ops", HERE)
                    .await
                    .unwrap();
            conversation.answer_with_password(&Secret::from(password)).await
        });
        assert_eq!(result, expected, "{password}");
    }
}

#[test]
fn wrong_number_or_length_of_answers_ends_conversation() {
    let verifier = Arc::new(ScriptedVerifier {
        rounds: vec![vec![question("Password: ", false)]],
        ..ScriptedVerifier::default()
    });
    for answers in [vec![], vec!["open"; 2], vec!["o".repeat(1025).as_str()], vec!["o\0"]] {
        let answers: Vec<_> = answers.into_iter().map(Secret::from).collect();
        let refused = run(async {
            let limits = pool(PasswordLimits::default());
            let mut conversation =
                LoginConversation::start(Arc::clone(&verifier) as _, limits, "ops", HERE).await.unwrap();
            conversation.next_event().await;
            conversation.submit_answers(answers).await
        });
        assert_eq!(refused, Err(LoginRefusalReason::Password));
    }
    wait_until(|| verifier.answers_seen.lock().unwrap().len() == 4);
    assert!(verifier.answers_seen.lock().unwrap().iter().all(Option::is_none));
}

#[test]
fn invalid_user_name_is_refused_before_verifier_runs() {
    let verifier = Arc::new(ScriptedVerifier::default());
    let begun = run(LoginConversation::start(verifier, pool(PasswordLimits::default()), "root\0x", HERE));
    assert_eq!(begun.unwrap_err(), LoginRefusalReason::UserName);
}

/// Takes some time for each check, and records the maximum number of concurrent checks.
#[derive(Debug, Default)]
struct SlowVerifier {
    running: AtomicUsize,
    max_running: AtomicUsize,
}

impl PasswordVerifier for SlowVerifier {
    fn verify(&self, user: &str, _: IpAddr, applicant: &mut dyn LoginDialog) -> Result<(), LoginError> {
        if user == "slow typist" {
            applicant.prompt(vec![question("Password: ", false)]);
        }
        self.max_running.fetch_max(self.running.fetch_add(1, Relaxed) + 1, Relaxed);
        thread::sleep(Duration::from_millis(50));
        self.running.fetch_sub(1, Relaxed);
        if user == "panics" {
            std::panic::resume_unwind(Box::new(()));
        }
        Ok(())
    }
}

#[test]
fn attempts_over_the_limits_wait_or_are_refused() {
    let verifier = Arc::new(SlowVerifier::default());
    let limits = pool(PasswordLimits { attempts: 4, attempts_per_source: 4, concurrent_checks: 2 });
    run(async {
        let attempt = || async {
            let mut conversation =
                LoginConversation::start(Arc::clone(&verifier) as _, Arc::clone(&limits), "ops", HERE)
                    .await?;
            Ok(matches!(conversation.next_event().await, ConversationEvent::Finished { result: Ok(()), .. }))
        };
        let all = tokio::join!(attempt(), attempt(), attempt(), attempt(), attempt(), attempt());
        let all = [all.0, all.1, all.2, all.3, all.4, all.5];
        assert_eq!(all.iter().filter(|one| **one == Ok(true)).count(), 4, "{all:?}");
        assert_eq!(
            all.iter().filter(|one| **one == Err(LoginRefusalReason::PasswordBusy)).count(),
            2,
            "{all:?}"
        );
    });
    assert_eq!(verifier.max_running.load(Relaxed), 2);
    wait_until(|| limits.acquire_slot(HERE).is_ok());
}

#[test]
fn slow_answer_does_not_block_other_logins() {
    let verifier = Arc::new(SlowVerifier::default());
    let limits = pool(PasswordLimits { attempts: 9, attempts_per_source: 9, concurrent_checks: 1 });
    run(async {
        let start =
            |user| LoginConversation::start(Arc::clone(&verifier) as _, Arc::clone(&limits), user, HERE);
        let mut slow = start("slow typist").await.unwrap();
        slow.next_event().await;
        let mut quick = start("ops").await.unwrap();
        assert!(matches!(quick.next_event().await, ConversationEvent::Finished { result: Ok(()), .. }));
        sleep(Duration::from_millis(20)).await;
        slow.submit_answers(vec![Secret::from("open")]).await.unwrap();
        assert!(matches!(slow.next_event().await, ConversationEvent::Finished { result: Ok(()), .. }));
    });
}

#[test]
fn slot_is_released_after_the_peer_disconnects() {
    let verifier = Arc::new(ScriptedVerifier {
        rounds: vec![vec![question("Password: ", false)]],
        ..ScriptedVerifier::default()
    });
    let limits = pool(PasswordLimits { attempts: 1, attempts_per_source: 1, concurrent_checks: 1 });
    run(async {
        let mut conversation =
            LoginConversation::start(Arc::clone(&verifier) as _, Arc::clone(&limits), "ops", HERE)
                .await
                .unwrap();
        conversation.next_event().await;
        assert_eq!(limits.acquire_slot(HERE).unwrap_err(), LoginRefusalReason::PasswordBusy);
    });
    wait_until(|| limits.acquire_slot(HERE).is_ok());
    assert_eq!(*verifier.answers_seen.lock().unwrap(), [None]);
}

#[test]
fn panicking_verifier_rejects_the_login() {
    let limits = pool(PasswordLimits::default());
    run(async {
        let mut conversation =
            LoginConversation::start(Arc::new(SlowVerifier::default()), limits, "panics", HERE)
                .await
                .unwrap();
        let event = timeout(Duration::from_secs(5), conversation.next_event()).await.unwrap();
        assert!(
            matches!(event, ConversationEvent::Finished { result: Err(LoginError::Unavailable), .. }),
            "{event:?}"
        );
    });
}

fn wait_until(mut condition: impl FnMut() -> bool) {
    for _ in 0..500 {
        if condition() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("the condition was not met in time");
}
