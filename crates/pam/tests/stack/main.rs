//! Real PAM: Debian's modules and one of ours, over users that only the tests see.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says what it skips"
)]

mod openssh;
mod private;

use std::{
    fs,
    net::IpAddr,
    time::{Duration, Instant},
};

use portreeve_channel::{Applicant, Denial, JudgeQuestion, PasswordJudge};
use portreeve_pam::Service;
use portreeve_secret::Secret;

use private::in_private_stack;

#[test]
fn a_password_lets_its_user_in_whose_account_may_be_used() {
    in_private_stack("a_password_lets_its_user_in_whose_account_may_be_used", |_| {
        for (user, word, verdict) in [
            ("ops", "open", Ok(())),
            ("ops", "guess", Err(Denial::NotProven)),
            ("ops", "", Err(Denial::NotProven)),
            ("OPS", "open", Err(Denial::NotProven)),
            ("nobody-has-this", "open", Err(Denial::NotProven)),
            ("gone", "open", Err(Denial::AccountExpired)),
            ("gone", "guess", Err(Denial::NotProven)),
            ("stale", "open", Err(Denial::PasswordExpired)),
            ("empty", "", Err(Denial::NotProven)),
            ("root", "open", Err(Denial::NotProven)),
        ] {
            assert_eq!(judge("quick", user, &mut Typist::new(&[word])), verdict, "{user} {word:?}");
        }
        assert_eq!(
            judge("lax", "empty", &mut Typist::new(&[""])),
            Err(Denial::NotProven),
            "an empty password"
        );
        assert_eq!(judge("lax", "empty", &mut Typist::new(&[])), Err(Denial::NotProven), "no password");
    });
}

#[test]
fn an_expired_account_is_told_so_by_pam() {
    in_private_stack("an_expired_account_is_told_so_by_pam", |_| {
        for (user, word) in [("gone", "expired"), ("stale", "password")] {
            let mut typist = Typist::new(&["open"]);
            judge("quick", user, &mut typist).unwrap_err();
            assert!(typist.told.join(" ").contains(word), "{user}: {:?}", typist.told);
        }
    });
}

#[test]
fn whoever_does_not_exist_waits_as_long_as_whoever_does() {
    in_private_stack("whoever_does_not_exist_waits_as_long_as_whoever_does", |_| {
        for user in ["ops", "nobody-has-this"] {
            let start = Instant::now();
            assert_eq!(judge("portreeve", user, &mut Typist::new(&["guess"])), Err(Denial::NotProven));
            assert!(start.elapsed() > Duration::from_secs(1), "{user}: {:?}", start.elapsed());
        }
        assert_eq!(judge("portreeve", "ops", &mut Typist::new(&["open"])), Ok(()), "our own rules");
    });
}

#[test]
fn a_service_without_rules_is_judged_by_other_and_a_broken_one_by_nobody() {
    in_private_stack("a_service_without_rules_is_judged_by_other_and_a_broken_one_by_nobody", |_| {
        assert_eq!(judge("missing", "ops", &mut Typist::new(&["open"])), Err(Denial::NotProven));
        assert_eq!(judge("broken", "ops", &mut Typist::new(&["open"])), Err(Denial::Failed));
        assert_eq!(judge("closed", "ops", &mut Typist::new(&[])), Err(Denial::AccountClosed));
        assert!(Service::new("missing").unwrap().rules().is_none());
        assert!(Service::new("quick").unwrap().rules().is_some());
    });
}

#[test]
fn pam_learns_from_where_somebody_comes() {
    in_private_stack("pam_learns_from_where_somebody_comes", |folder| {
        for (address, shown) in
            [("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8::1", "2001:db8::1")]
        {
            let service = Service::new("note").unwrap();
            let verdict = service.judge("ops", address.parse().unwrap(), &mut Typist::new(&[]));
            assert_eq!(verdict, Ok(()));
            assert_eq!(fs::read_to_string(folder.join("told")).unwrap(), format!("{shown} ssh ops\n"));
        }
    });
}

#[test]
fn questions_and_notices_pass_as_they_are() {
    in_private_stack("questions_and_notices_pass_as_they_are", |_| {
        let mut typist = Typist::new(&["open", "1234"]);
        assert_eq!(judge("two", "ops", &mut typist), Ok(()));
        let question = |prompt: &str, echo| JudgeQuestion { prompt: prompt.to_owned(), echo };
        assert_eq!(typist.asked, [question("Password: ", false), question("Code: ", true)]);
        assert_eq!(typist.told, ["Two things."]);
        assert_eq!(judge("two", "ops", &mut Typist::new(&["open", "4321"])), Err(Denial::NotProven));
    });
}

#[test]
fn pam_may_neither_ask_for_ever_nor_change_who_comes_in() {
    in_private_stack("pam_may_neither_ask_for_ever_nor_change_who_comes_in", |_| {
        let mut typist = Typist::new(&["again"; 100]);
        assert_eq!(judge("endless", "ops", &mut typist), Err(Denial::NotProven));
        assert_eq!(typist.asked.len(), 32);
        assert_eq!(judge("rename", "ops", &mut Typist::new(&[])), Err(Denial::Failed));
    });
}

fn judge(service: &str, user: &str, typist: &mut Typist) -> Result<(), Denial> {
    Service::new(service).unwrap().judge(user, IpAddr::from([192, 0, 2, 1]), typist)
}

/// Answers with these words, one after the other, and then no more.
struct Typist {
    words: Vec<&'static str>,
    asked: Vec<JudgeQuestion>,
    told: Vec<String>,
}

impl Typist {
    fn new(words: &[&'static str]) -> Self {
        Self { words: words.iter().rev().copied().collect(), asked: Vec::new(), told: Vec::new() }
    }
}

impl Applicant for Typist {
    fn tell(&mut self, notice: &str) {
        self.told.push(notice.to_owned());
    }

    fn ask(&mut self, questions: Vec<JudgeQuestion>) -> Option<Vec<Secret>> {
        self.asked.extend(questions.iter().cloned());
        questions.iter().map(|_| self.words.pop().map(Secret::from)).collect()
    }
}
