//! The programs that read what is generated: groff and the shells. Where one is missing, that is said.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

use std::{
    io::{ErrorKind, Write},
    process::{Command, Stdio},
};

/// What a program says about a text on its standard input: output and complaints. `None` where there is none.
fn read(program: &str, arguments: &[&str], text: &str) -> Option<(String, String)> {
    let piped = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match piped {
        Ok(child) => child,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            println!("skipped: {program} is not installed");
            return None;
        }
        Err(error) => panic!("{program}: {error}"),
    };
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |octets| String::from_utf8(octets).unwrap();
    Some((text(output.stdout), text(output.stderr)))
}

fn generated(ending: &str) -> impl Iterator<Item = (String, String)> {
    portreeve_manual::files().into_iter().filter(move |(path, _)| path.contains(ending))
}

fn completion(path: &str) -> String {
    generated(path).next().unwrap().1
}

#[test]
fn groff_renders_every_page_without_warnings() {
    for (path, text) in generated("man/portreeve") {
        let Some((page, complaints)) = read("groff", &["-man", "-Tutf8", "-ww", "-P-cbou"], &text) else {
            return;
        };
        assert_eq!(complaints, "", "{path}");
        assert!(page.contains("DESCRIPTION"), "{path}");
    }
}

#[test]
fn every_shell_parses_its_completions() {
    for shell in ["bash", "zsh", "fish"] {
        for (path, text) in generated(&format!("completions/{shell}/")) {
            let Some((_, complaints)) = read(shell, &["-n"], &text) else { break };
            assert_eq!(complaints, "", "{path}");
        }
    }
}

/// What bash offers when the Tab key is pressed behind these words.
fn offered(words: &[&str]) -> Option<Vec<String>> {
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let program = words[0];
    let script = format!(
        "{}\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_{program}\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        completion(&format!("completions/bash/{program}")),
        quoted.join(" "),
        words.len() - 1,
    );
    let (said, complaints) = read("bash", &["--norc"], &script)?;
    assert_eq!(complaints, "", "{words:?}");
    Some(said.split_whitespace().map(str::to_owned).collect())
}

#[test]
fn bash_completion_offers_valid_words() {
    let table: &[(&[&str], &[&str])] = &[
        (&["portreeve", "bulk"], &["bulkget", "bulkwalk"]),
        (&["portreeve", "walk", "-v"], &["-v"]),
        (&["portreeve", "walk", "-v", ""], &["1", "2c", "3"]),
        (&["portreeve", "walk", "-a", "SHA-2"], &["SHA-224", "SHA-256"]),
        (&["portreeve", "walk", "-l", "auth"], &["authNoPriv", "authPriv"]),
        (&["portreeve", "walk", "--auth-pass-fi"], &["--auth-pass-file"]),
        (&["portreeve", "walk", "--export"], &[]),
        (&["portreeve", "translate", "--export"], &["--export-smi"]),
        (&["portreeve", "simulate", "--by", "p"], &["port"]),
        (&["portreeve", "lab", "b"], &["bench"]),
        (&["portreeve", "lab", "bench", "--only", "co"], &["codec"]),
        (&["portreeved", "re"], &["reload"]),
        (&["portreeved", "run", "--"], &["--config"]),
    ];
    for (words, expected) in table {
        let Some(offers) = offered(words) else { return };
        assert_eq!(offers, *expected, "{words:?}");
    }
    let grown = offered(&["portreeve", "get", "-Oq"]).unwrap();
    assert!(
        grown.contains(&"-Oqv".to_owned()) && grown.iter().all(|word| word.starts_with("-Oq")),
        "{grown:?}"
    );
    let files = offered(&["portreeved", "check", "src/ma"]).unwrap();
    assert_eq!(files, ["src/main.rs"]);
}
