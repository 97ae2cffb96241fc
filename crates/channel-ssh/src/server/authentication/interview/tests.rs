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

fn question(prompt: &str, echo: bool) -> JudgeQuestion {
    JudgeQuestion { prompt: prompt.to_owned(), echo }
}

/// Asks as it was told to, and lets in whoever answers `open`.
#[derive(Debug, Default)]
struct Examiner {
    rounds: Vec<Vec<JudgeQuestion>>,
    heard: Mutex<Vec<Option<Vec<String>>>>,
}

impl PasswordJudge for Examiner {
    fn judge(&self, user: &str, _: IpAddr, applicant: &mut dyn Applicant) -> Result<(), Denial> {
        let mut good = user == "ops";
        for round in &self.rounds {
            applicant.tell("listen");
            let answers = applicant.ask(round.clone());
            let words = answers.as_ref().map(|answers| {
                answers.iter().map(|secret| String::from_utf8_lossy(secret.expose()).into_owned()).collect()
            });
            self.heard.lock().unwrap().push(words);
            good &= answers.is_some_and(|answers| answers.iter().all(|answer| answer.expose() == b"open"));
        }
        applicant.tell("farewell");
        if good { Ok(()) } else { Err(Denial::NotProven) }
    }
}

fn pool(limits: PasswordLimits) -> Arc<PasswordPool> {
    Arc::new(PasswordPool::new(limits))
}

fn run<F: Future>(future: F) -> F::Output {
    Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

#[test]
fn questions_and_notices_reach_the_peer_and_answers_the_judge() {
    let rounds =
        vec![vec![question("Password: ", false)], vec![question("Code: ", true), question("Pin: ", false)]];
    let judge = Arc::new(Examiner { rounds: rounds.clone(), ..Examiner::default() });
    run(async {
        let mut interview =
            Interview::begin(Arc::clone(&judge) as _, pool(PasswordLimits::default()), "ops", HERE)
                .await
                .unwrap();
        for round in rounds {
            let Event::Asked { notices, questions } = interview.next().await else { panic!("no question") };
            assert_eq!((notices.as_str(), &questions), ("listen\n", &round));
            interview.answer(round.iter().map(|_| Secret::from("open")).collect()).await.unwrap();
        }
        let Event::Decided { notices, verdict } = interview.next().await else { panic!("no verdict") };
        assert_eq!((notices.as_str(), verdict), ("farewell\n", Ok(())));
    });
}

#[test]
fn one_password_answers_what_may_not_be_seen_and_nothing_else() {
    let hidden = vec![question("Password: ", false)];
    let shown = vec![question("Name: ", true)];
    for (rounds, word, expected) in [
        (vec![hidden.clone()], "open", Ok(())),
        (vec![hidden.clone(), hidden.clone()], "open", Ok(())),
        (vec![hidden.clone()], "guess", Err(Refusal::Password)),
        (vec![hidden.clone()], "op\0en", Err(Refusal::Password)),
        (vec![shown], "open", Err(Refusal::PasswordNotEnough)),
        (vec![hidden; 9], "open", Err(Refusal::PasswordNotEnough)),
    ] {
        let judge = Arc::new(Examiner { rounds, ..Examiner::default() });
        let verdict = run(async {
            let interview =
                Interview::begin(judge, pool(PasswordLimits::default()), "ops", HERE).await.unwrap();
            interview.with_password(&Secret::from(word)).await
        });
        assert_eq!(verdict, expected, "{word}");
    }
}

#[test]
fn answers_that_are_too_many_too_few_or_too_long_end_the_interview() {
    let judge =
        Arc::new(Examiner { rounds: vec![vec![question("Password: ", false)]], ..Examiner::default() });
    for answers in [vec![], vec!["open"; 2], vec!["o".repeat(1025).as_str()], vec!["o\0"]] {
        let answers: Vec<_> = answers.into_iter().map(Secret::from).collect();
        let refused = run(async {
            let limits = pool(PasswordLimits::default());
            let mut interview = Interview::begin(Arc::clone(&judge) as _, limits, "ops", HERE).await.unwrap();
            interview.next().await;
            interview.answer(answers).await
        });
        assert_eq!(refused, Err(Refusal::Password));
    }
    wait_until(|| judge.heard.lock().unwrap().len() == 4);
    assert!(judge.heard.lock().unwrap().iter().all(Option::is_none));
}

#[test]
fn a_name_that_is_nobodys_reaches_no_judge() {
    let judge = Arc::new(Examiner::default());
    let begun = run(Interview::begin(judge, pool(PasswordLimits::default()), "root\0x", HERE));
    assert_eq!(begun.unwrap_err(), Refusal::UserName);
}

/// Thinks for as long as it is told to, and counts who thinks at once.
#[derive(Debug, Default)]
struct Thinker {
    thinking: AtomicUsize,
    most: AtomicUsize,
}

impl PasswordJudge for Thinker {
    fn judge(&self, user: &str, _: IpAddr, applicant: &mut dyn Applicant) -> Result<(), Denial> {
        if user == "slow typist" {
            applicant.ask(vec![question("Password: ", false)]);
        }
        self.most.fetch_max(self.thinking.fetch_add(1, Relaxed) + 1, Relaxed);
        thread::sleep(Duration::from_millis(50));
        self.thinking.fetch_sub(1, Relaxed);
        if user == "panics" {
            std::panic::resume_unwind(Box::new(()));
        }
        Ok(())
    }
}

#[test]
fn so_many_work_at_once_some_wait_and_more_are_refused() {
    let judge = Arc::new(Thinker::default());
    let limits = pool(PasswordLimits { attempts: 4, attempts_of_one_source: 4, at_work: 2 });
    run(async {
        let attempt = || async {
            let mut interview =
                Interview::begin(Arc::clone(&judge) as _, Arc::clone(&limits), "ops", HERE).await?;
            Ok(matches!(interview.next().await, Event::Decided { verdict: Ok(()), .. }))
        };
        let all = tokio::join!(attempt(), attempt(), attempt(), attempt(), attempt(), attempt());
        let all = [all.0, all.1, all.2, all.3, all.4, all.5];
        assert_eq!(all.iter().filter(|one| **one == Ok(true)).count(), 4, "{all:?}");
        assert_eq!(all.iter().filter(|one| **one == Err(Refusal::PasswordBusy)).count(), 2, "{all:?}");
    });
    assert_eq!(judge.most.load(Relaxed), 2);
    wait_until(|| limits.enter(HERE).is_ok());
}

#[test]
fn whoever_takes_time_to_answer_keeps_nobody_from_work() {
    let judge = Arc::new(Thinker::default());
    let limits = pool(PasswordLimits { attempts: 9, attempts_of_one_source: 9, at_work: 1 });
    run(async {
        let begin = |user| Interview::begin(Arc::clone(&judge) as _, Arc::clone(&limits), user, HERE);
        let mut slow = begin("slow typist").await.unwrap();
        slow.next().await;
        let mut quick = begin("ops").await.unwrap();
        assert!(matches!(quick.next().await, Event::Decided { verdict: Ok(()), .. }));
        sleep(Duration::from_millis(20)).await;
        slow.answer(vec![Secret::from("open")]).await.unwrap();
        assert!(matches!(slow.next().await, Event::Decided { verdict: Ok(()), .. }));
    });
}

#[test]
fn a_peer_that_goes_gives_its_place_back_when_the_judge_is_done() {
    let judge =
        Arc::new(Examiner { rounds: vec![vec![question("Password: ", false)]], ..Examiner::default() });
    let limits = pool(PasswordLimits { attempts: 1, attempts_of_one_source: 1, at_work: 1 });
    run(async {
        let mut interview =
            Interview::begin(Arc::clone(&judge) as _, Arc::clone(&limits), "ops", HERE).await.unwrap();
        interview.next().await;
        assert_eq!(limits.enter(HERE).unwrap_err(), Refusal::PasswordBusy);
    });
    wait_until(|| limits.enter(HERE).is_ok());
    assert_eq!(*judge.heard.lock().unwrap(), [None]);
}

#[test]
fn a_judge_that_panics_has_not_accepted() {
    let limits = pool(PasswordLimits::default());
    run(async {
        let mut interview =
            Interview::begin(Arc::new(Thinker::default()), limits, "panics", HERE).await.unwrap();
        let event = timeout(Duration::from_secs(5), interview.next()).await.unwrap();
        assert!(matches!(event, Event::Decided { verdict: Err(Denial::Failed), .. }), "{event:?}");
    });
}

fn wait_until(mut condition: impl FnMut() -> bool) {
    for _ in 0..500 {
        if condition() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("it did not come to that");
}
