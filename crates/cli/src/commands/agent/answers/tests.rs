use super::*;

fn login(on_the_way: bool) -> Login {
    Login { user: "ops".to_owned(), host: "gw".to_owned(), on_the_way }
}

fn prompt(asker: Login, echo: bool) -> Question {
    Question::Prompt {
        asker,
        name: String::new(),
        instructions: String::new(),
        prompt: "Code: ".to_owned(),
        echo,
    }
}

#[test]
fn a_password_from_a_file_is_given_once_and_nobody_is_asked() {
    for question in [Question::Password { asker: login(false) }, prompt(login(false), false)] {
        let mut answers = Answers::new(Some(Secret::from("open")), true);
        assert!(answers.answer(&question) == Some(Secret::from("open")));
        assert!(answers.answer(&question).is_none());
        assert!(!answers.asks);
    }
}

#[test]
fn a_password_from_a_file_is_not_for_hosts_on_the_way_nor_for_what_is_shown() {
    let mut answers = Answers::new(Some(Secret::from("open")), false);
    assert!(answers.answer(&Question::Password { asker: login(true) }).is_none());
    assert!(answers.answer(&prompt(login(true), false)).is_none());
    assert!(answers.answer(&prompt(login(false), true)).is_none());
    assert!(answers.answer(&Question::PassPhrase { file: "key".to_owned() }).is_none());
    assert!(answers.answer(&Question::Password { asker: login(false) }).is_some());
}

#[test]
fn a_host_key_is_taken_by_yes_or_by_its_fingerprint_alone() {
    let decide = |typed: &[&str]| {
        let mut typed = typed.iter();
        let next = |_: &str, _| typed.next().map(|line| Secret::from(*line));
        let answer = Answers::new(None, true).decide(String::new(), "SHA256:abc", next);
        answer.map(|answer| String::from_utf8(answer.expose().to_vec()).unwrap())
    };
    assert_eq!(decide(&["yes"]).as_deref(), Some("yes"));
    assert_eq!(decide(&[" SHA256:abc\r"]).as_deref(), Some("SHA256:abc"));
    assert_eq!(decide(&["y", "SHA256:abd", "yes"]).as_deref(), Some("yes"));
    for refused in [&["no"][..], &[""], &["y", "no", "yes"], &["y"], &[]] {
        assert_eq!(decide(refused), None, "{refused:?}");
    }
    let mut unasked = Answers::new(None, false);
    let question = Question::HostKey {
        host: "gw".to_owned(),
        kind: "ssh-ed25519".to_owned(),
        fingerprint: "SHA256:abc".to_owned(),
        other: String::new(),
    };
    assert!(unasked.answer(&question).is_none());
}

#[test]
fn what_a_server_says_commands_no_terminal() {
    assert_eq!(shown("Pass\u{1b}[2Jword\r: \u{202e}"), "Pass\\u{1b}[2Jword\\r: \\u{202e}");
    assert_eq!(shown("Mot de passe déjà vu 'x' \"y\": "), "Mot de passe déjà vu 'x' \"y\": ");
    assert_eq!(words("PAM", "one\n\n\u{7}two\n"), "PAM\none\n\\u{7}two\n");
}
