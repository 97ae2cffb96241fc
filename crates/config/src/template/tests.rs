use std::path::Path;

use super::*;
use crate::{NoFiles, options, parse};

fn example() -> Template {
    let user = |name: &str| {
        [
            ("name", quoted(name)),
            ("auth", quoted("SHA-256")),
            ("auth-pass", quoted("maple\"syrup\\\u{1}")),
            ("priv", quoted("AES")),
            ("priv-pass", quoted("maplesyrup")),
            ("access", quoted("write")),
        ]
    };
    Template::new()
        .section(&options::AGENT, [("state-dir", quoted("/var/lib/portreeve"))])
        .section(&options::LISTEN, [("address", quoted("0.0.0.0:161"))])
        .section(&options::LISTEN, [("address", quoted("[::]:161"))])
        .section(&options::USER, user("ops"))
        .section(&options::USER, user("night"))
}

#[test]
fn generated_template_parses_to_the_values_it_was_made_from() {
    let text = example().text();
    let loaded = parse(&text, Path::new("x"), &NoFiles).map_err(|rejected| rejected.to_string()).unwrap();
    assert_eq!(loaded.warnings, []);
    assert_eq!(loaded.config.listeners.len(), 2);
    let names: Vec<&[u8]> = loaded.config.users.iter().map(|user| &*user.name).collect();
    assert_eq!(names, [b"ops".as_slice(), b"night"]);
    let Some((_, crate::KeySource::PassPhrase(phrase))) = &loaded.config.users[0].auth else {
        panic!("no phrase")
    };
    assert_eq!(phrase.expose(), b"maple\"syrup\\\x01");
}

#[test]
fn template_contains_every_option_and_every_option_has_description() {
    let text = example().text();
    for section in options::SECTIONS {
        for option in section.options {
            assert!(!option.accepted.is_empty() && !option.doc.is_empty(), "{}", option.name);
            let line = |start: &str| text.lines().any(|line| line.starts_with(start));
            assert!(
                line(&format!("#{} = ", option.name)) || line(&format!("{} = ", option.name)),
                "{}",
                option.name
            );
        }
    }
}

/// Checks that every example has the right type and a valid value.
#[test]
fn example_of_every_option_is_a_valid_value() {
    for section in options::SECTIONS {
        for option in section.options.iter().filter(|option| !option.example.contains('…')) {
            let text = format!("{}\n{} = {}\n", section.heading(), option.name, option.example);
            let problems = match parse(&text, Path::new("x"), &NoFiles) {
                Ok(_) => continue,
                Err(rejected) => rejected.0,
            };
            for problem in problems {
                let about = ["invalid TOML", "must be", "out of range", "unsupported `", "unknown transport"];
                assert!(!about.iter().any(|words| problem.message.contains(words)), "{text}{problem}");
            }
        }
    }
}
