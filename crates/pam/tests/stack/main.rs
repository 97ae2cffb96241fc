//! Tests with the real PAM: Debian's modules and one of ours, and users that exist only in the
//! tests.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test fails by panicking, and prints what it skips"
)]

mod openssh;
mod private;

use std::{
    fs,
    net::IpAddr,
    time::{Duration, Instant},
};

use portreeve_channel::{AccountVerifier, LoginDialog, LoginError, LoginPrompt, PasswordVerifier};
use portreeve_pam::PamService;
use portreeve_secret::Secret;

use private::in_private_stack;

#[test]
fn correct_password_is_accepted_only_for_unexpired_accounts() {
    in_private_stack("correct_password_is_accepted_only_for_unexpired_accounts", |_| {
        for (user, password, expected) in [
            ("ops", "open", Ok(())),
            ("ops", "guess", Err(LoginError::BadCredentials)),
            ("ops", "", Err(LoginError::BadCredentials)),
            ("OPS", "open", Err(LoginError::BadCredentials)),
            ("no-such-user", "open", Err(LoginError::BadCredentials)),
            ("gone", "open", Err(LoginError::AccountExpired)),
            ("gone", "guess", Err(LoginError::BadCredentials)),
            ("stale", "open", Err(LoginError::PasswordExpired)),
            ("empty", "", Err(LoginError::BadCredentials)),
            ("root", "open", Err(LoginError::BadCredentials)),
        ] {
            assert_eq!(
                verify("quick", user, &mut ScriptedUser::new(&[password])),
                expected,
                "{user} {password:?}"
            );
        }
        assert_eq!(
            verify("lax", "empty", &mut ScriptedUser::new(&[""])),
            Err(LoginError::BadCredentials),
            "an empty password"
        );
        assert_eq!(
            verify("lax", "empty", &mut ScriptedUser::new(&[])),
            Err(LoginError::BadCredentials),
            "no password"
        );
    });
}

#[test]
fn review_l8_passwords_of_root_accounts_are_refused_by_default() {
    in_private_stack("review_l8_passwords_of_root_accounts_are_refused_by_default", |_| {
        let mut user_script = ScriptedUser::new(&["open"]);
        assert_eq!(verify("quick", "toor", &mut user_script), Err(LoginError::BadCredentials));
        assert_eq!(user_script.prompts.len(), 1, "looks like a wrong password");
        // A service that does not prompt refuses root as well.
        assert_eq!(verify("note", "root", &mut ScriptedUser::new(&[])), Err(LoginError::BadCredentials));
        let service = PamService::new("quick").unwrap().allow_root(true);
        let from = IpAddr::from([192, 0, 2, 1]);
        assert_eq!(service.verify("toor", from, &mut ScriptedUser::new(&["open"])), Ok(()));
        assert_eq!(
            service.verify("toor", from, &mut ScriptedUser::new(&["guess"])),
            Err(LoginError::BadCredentials)
        );
    });
}

#[test]
fn review_l7_account_expiry_is_checked_without_a_password() {
    in_private_stack("review_l7_account_expiry_is_checked_without_a_password", |_| {
        let from = IpAddr::from([192, 0, 2, 1]);
        for (service, user, expected) in [
            ("quick", "ops", Ok(())),
            ("quick", "root", Ok(())),
            ("quick", "gone", Err(LoginError::AccountExpired)),
            ("quick", "stale", Err(LoginError::PasswordExpired)),
            ("quick", "no-such-user", Err(LoginError::AccessDenied)),
            ("closed", "ops", Err(LoginError::AccessDenied)),
        ] {
            let service = PamService::new(service).unwrap();
            assert_eq!(service.verify_account(user, from), expected, "{service:?} {user}");
        }
    });
}

#[test]
fn users_with_expired_account_or_password_receive_the_pam_notice() {
    in_private_stack("users_with_expired_account_or_password_receive_the_pam_notice", |_| {
        for (user, text) in [("gone", "expired"), ("stale", "password")] {
            let mut user_script = ScriptedUser::new(&["open"]);
            verify("quick", user, &mut user_script).unwrap_err();
            assert!(user_script.notices.join(" ").contains(text), "{user}: {:?}", user_script.notices);
        }
    });
}

#[test]
fn wrong_password_is_rejected_after_a_delay_for_any_user_name() {
    in_private_stack("wrong_password_is_rejected_after_a_delay_for_any_user_name", |_| {
        for user in ["ops", "no-such-user"] {
            let start = Instant::now();
            assert_eq!(
                verify("portreeve", user, &mut ScriptedUser::new(&["guess"])),
                Err(LoginError::BadCredentials)
            );
            assert!(start.elapsed() > Duration::from_secs(1), "{user}: {:?}", start.elapsed());
        }
        assert_eq!(verify("portreeve", "ops", &mut ScriptedUser::new(&["open"])), Ok(()), "our own rules");
    });
}

#[test]
fn missing_pam_service_uses_service_other_and_broken_service_fails() {
    in_private_stack("missing_pam_service_uses_service_other_and_broken_service_fails", |_| {
        assert_eq!(
            verify("missing", "ops", &mut ScriptedUser::new(&["open"])),
            Err(LoginError::BadCredentials)
        );
        assert_eq!(verify("broken", "ops", &mut ScriptedUser::new(&["open"])), Err(LoginError::Unavailable));
        assert_eq!(verify("closed", "ops", &mut ScriptedUser::new(&[])), Err(LoginError::AccessDenied));
        assert!(PamService::new("missing").unwrap().rules_file().is_none());
        assert!(PamService::new("quick").unwrap().rules_file().is_some());
    });
}

#[test]
fn pam_receives_the_remote_address_and_terminal() {
    in_private_stack("pam_receives_the_remote_address_and_terminal", |folder| {
        for (address, shown) in
            [("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8::1", "2001:db8::1")]
        {
            let service = PamService::new("note").unwrap();
            let expected = service.verify("ops", address.parse().unwrap(), &mut ScriptedUser::new(&[]));
            assert_eq!(expected, Ok(()));
            assert_eq!(fs::read_to_string(folder.join("notes")).unwrap(), format!("{shown} ssh ops\n"));
        }
    });
}

#[test]
fn pam_prompts_and_notices_are_passed_to_the_user_unchanged() {
    in_private_stack("pam_prompts_and_notices_are_passed_to_the_user_unchanged", |_| {
        let mut user_script = ScriptedUser::new(&["open", "1234"]);
        assert_eq!(verify("two", "ops", &mut user_script), Ok(()));
        let prompt_of = |prompt: &str, echo| LoginPrompt { text: prompt.to_owned(), echo };
        assert_eq!(user_script.prompts, [prompt_of("Password: ", false), prompt_of("Code: ", true)]);
        assert_eq!(user_script.notices, ["Two things."]);
        assert_eq!(
            verify("two", "ops", &mut ScriptedUser::new(&["open", "4321"])),
            Err(LoginError::BadCredentials)
        );
    });
}

#[test]
fn login_fails_when_pam_prompts_endlessly_or_changes_the_user_name() {
    in_private_stack("login_fails_when_pam_prompts_endlessly_or_changes_the_user_name", |_| {
        let mut user_script = ScriptedUser::new(&["again"; 100]);
        assert_eq!(verify("endless", "ops", &mut user_script), Err(LoginError::BadCredentials));
        assert_eq!(user_script.prompts.len(), 32);
        assert_eq!(verify("rename", "ops", &mut ScriptedUser::new(&[])), Err(LoginError::Unavailable));
    });
}

fn verify(service: &str, user: &str, user_script: &mut ScriptedUser) -> Result<(), LoginError> {
    PamService::new(service).unwrap().verify(user, IpAddr::from([192, 0, 2, 1]), user_script)
}

/// Responds to each prompt with the next of these answers, and to further prompts with none.
struct ScriptedUser {
    answers: Vec<&'static str>,
    prompts: Vec<LoginPrompt>,
    notices: Vec<String>,
}

impl ScriptedUser {
    fn new(answers: &[&'static str]) -> Self {
        Self { answers: answers.iter().rev().copied().collect(), prompts: Vec::new(), notices: Vec::new() }
    }
}

impl LoginDialog for ScriptedUser {
    fn show_notice(&mut self, notice: &str) {
        self.notices.push(notice.to_owned());
    }

    fn prompt(&mut self, prompts: Vec<LoginPrompt>) -> Option<Vec<Secret>> {
        self.prompts.extend(prompts.iter().cloned());
        prompts.iter().map(|_| self.answers.pop().map(Secret::from)).collect()
    }
}
