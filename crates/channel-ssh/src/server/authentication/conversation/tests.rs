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
fn conversation_passes_questions_to_peer_and_answers_to_verifier() {
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
fn password_is_used_only_for_questions_with_hidden_input() {
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
fn wrong_number_of_answers_or_invalid_answer_ends_conversation() {
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
fn conversation_with_invalid_user_name_is_not_started() {
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
fn password_attempts_are_queued_up_to_the_limit_and_then_refused() {
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
fn unanswered_question_does_not_block_other_logins() {
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
fn login_attempt_slot_is_freed_when_the_peer_disconnects() {
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
        assert_eq!(limits.attempts_in_progress(), 1);
    });
    wait_until(|| limits.attempts_in_progress() == 0);
    assert_eq!(*verifier.answers_seen.lock().unwrap(), [None]);
}

/// Starts a login whose verifier waits for an answer.
async fn unanswered(pool: &Arc<PasswordPool>, address: IpAddr) -> LoginConversation {
    let rounds = vec![vec![question("Password: ", false)]];
    let verifier = Arc::new(ScriptedVerifier { rounds, ..ScriptedVerifier::default() });
    let start = LoginConversation::start(verifier, Arc::clone(pool), "ops", address);
    let mut conversation = timeout(Duration::from_secs(5), start).await.unwrap().unwrap();
    assert!(matches!(conversation.next_event().await, ConversationEvent::Questions { .. }));
    conversation
}

#[test]
fn review_m7_unanswered_login_attempts_do_not_lock_out_other_sources() {
    for network in ["192.0.2", "2001:db8:0:f"] {
        let limits = pool(PasswordLimits::default());
        run(async {
            let mut attackers = Vec::new();
            for number in 0..32 {
                let source = number / 8 + 1;
                let address = if network.contains(':') {
                    format!("{network}{source}::{number}")
                } else {
                    format!("{network}.{source}")
                };
                attackers.push(unanswered(&limits, address.parse().unwrap()).await);
            }
            // Many attempts from other sources succeed one after the other.
            for number in 1..20 {
                let mut honest = unanswered(&limits, IpAddr::from([198, 51, 100, number])).await;
                honest.submit_answers(vec![Secret::from("open")]).await.unwrap();
                assert!(matches!(
                    honest.next_event().await,
                    ConversationEvent::Finished { result: Ok(()), .. }
                ));
            }
            let mut first = attackers.remove(0);
            let _ = first.submit_answers(vec![Secret::from("open")]).await;
            let ConversationEvent::Finished { result: Err(error), .. } = first.next_event().await else {
                panic!("the attempt that waited longest was not ended")
            };
            assert_eq!(first.refusal_reason(error), LoginRefusalReason::PasswordDisplaced);
        });
    }
}

#[test]
fn review_m7_source_at_its_limit_replaces_its_own_unanswered_attempt() {
    let limits = pool(PasswordLimits { attempts: 4, attempts_per_source: 1, concurrent_checks: 1 });
    run(async {
        let other = unanswered(&limits, IpAddr::from([192, 0, 2, 1])).await;
        let mut first = unanswered(&limits, HERE).await;
        let mut second = unanswered(&limits, HERE).await;
        assert!(first.is_displaced() && !other.is_displaced());
        assert!(matches!(first.next_event().await, ConversationEvent::Finished { result: Err(_), .. }));
        second.submit_answers(vec![Secret::from("open")]).await.unwrap();
        assert!(matches!(second.next_event().await, ConversationEvent::Finished { result: Ok(()), .. }));
    });
}

#[test]
fn review_m7_attempt_of_new_source_replaces_queued_one_of_busy_source() {
    let limits = pool(PasswordLimits { attempts: 3, attempts_per_source: 3, concurrent_checks: 1 });
    run(async {
        let start = |user, address| {
            LoginConversation::start(Arc::new(SlowVerifier::default()), Arc::clone(&limits), user, address)
        };
        let attacker = || async { start("ops", HERE).await.map(|_| ()) };
        let honest = || async {
            let mut conversation = start("ops", IpAddr::from([192, 0, 2, 1])).await?;
            Ok::<_, LoginRefusalReason>(matches!(
                conversation.next_event().await,
                ConversationEvent::Finished { result: Ok(()), .. }
            ))
        };
        let (first, second, third, honest) = tokio::join!(attacker(), attacker(), attacker(), honest());
        assert_eq!(honest, Ok(true));
        let displaced = [first, second, third].into_iter().filter(Result::is_err).collect::<Vec<_>>();
        assert_eq!(displaced, [Err(LoginRefusalReason::PasswordDisplaced)]);
    });
}

#[test]
fn login_is_rejected_when_the_password_verifier_panics() {
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
