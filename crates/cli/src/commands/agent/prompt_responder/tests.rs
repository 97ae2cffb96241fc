use super::*;

fn login_target(is_jump_host: bool) -> LoginTarget {
    LoginTarget { user: "ops".to_owned(), host: "gw".to_owned(), is_jump_host }
}

fn prompt(login: LoginTarget, echo: bool) -> PromptRequest {
    PromptRequest::Prompt {
        login,
        name: String::new(),
        instructions: String::new(),
        prompt: "Code: ".to_owned(),
        echo,
    }
}

#[test]
fn password_from_file_answers_first_prompt_only_and_user_is_never_asked() {
    for question in
        [PromptRequest::Password { login: login_target(false) }, prompt(login_target(false), false)]
    {
        let mut responder = PromptResponder::new(Some(Secret::from("open")), true);
        assert!(responder.answer(&question) == Some(Secret::from("open")));
        assert!(responder.answer(&question).is_none());
        assert!(!responder.is_interactive);
    }
}

#[test]
fn password_from_file_answers_only_hidden_password_prompts_of_agent() {
    let mut responder = PromptResponder::new(Some(Secret::from("open")), false);
    assert!(responder.answer(&PromptRequest::Password { login: login_target(true) }).is_none());
    assert!(responder.answer(&prompt(login_target(true), false)).is_none());
    assert!(responder.answer(&prompt(login_target(false), true)).is_none());
    assert!(responder.answer(&PromptRequest::PassPhrase { file: "key".to_owned() }).is_none());
    assert!(responder.answer(&PromptRequest::Password { login: login_target(false) }).is_some());
}

#[test]
fn host_key_is_accepted_only_if_user_types_yes_or_its_fingerprint() {
    let accept = |typed: &[&str]| {
        let mut typed = typed.iter();
        let next = |_: &str, _| typed.next().map(|line| Secret::from(*line));
        let answer = PromptResponder::new(None, true).ask_host_key(String::new(), "SHA256:abc", next);
        answer.map(|answer| String::from_utf8(answer.expose().to_vec()).unwrap())
    };
    assert_eq!(accept(&["yes"]).as_deref(), Some("yes"));
    assert_eq!(accept(&[" SHA256:abc\r"]).as_deref(), Some("SHA256:abc"));
    assert_eq!(accept(&["y", "SHA256:abd", "yes"]).as_deref(), Some("yes"));
    for rejected in [&["no"][..], &[""], &["y", "no", "yes"], &["y"], &[]] {
        assert_eq!(accept(rejected), None, "{rejected:?}");
    }
    let mut responder = PromptResponder::new(None, false);
    let question = PromptRequest::HostKey {
        host: "gw".to_owned(),
        key_type: "ssh-ed25519".to_owned(),
        fingerprint: "SHA256:abc".to_owned(),
        known_key_at: String::new(),
    };
    assert!(responder.answer(&question).is_none());
}

#[test]
fn control_characters_in_text_from_server_are_escaped() {
    assert_eq!(sanitized("Pass\u{1b}[2Jword\r: \u{202e}"), "Pass\\u{1b}[2Jword\\r: \\u{202e}");
    assert_eq!(sanitized("Mot de passe déjà vu 'x' \"y\": "), "Mot de passe déjà vu 'x' \"y\": ");
    assert_eq!(preamble("PAM", "one\n\n\u{7}two\n"), "PAM\none\n\\u{7}two\n");
}
