//! Runs the generated files through groff and the shells. Tests are skipped with a message if a
//! program is not installed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

use std::{
    io::{ErrorKind, Write},
    process::{Command, Stdio},
};

/// Runs a program with `text` on its standard input. Returns its stdout and stderr, or `None` if it
/// is not installed.
fn run(program: &str, arguments: &[&str], text: &str) -> Option<(String, String)> {
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
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Some((text(output.stdout), text(output.stderr)))
}

fn generated(part: &str) -> impl Iterator<Item = (String, String)> {
    portreeve_manual::files().into_iter().filter(move |(path, _)| path.contains(part))
}

fn completion(path: &str) -> String {
    generated(path).next().unwrap().1
}

#[test]
fn groff_renders_every_manual_page_without_warnings() {
    for (path, text) in generated("man/portreeve") {
        let Some((page, stderr)) = run("groff", &["-man", "-Tutf8", "-ww", "-P-cbou"], &text) else {
            return;
        };
        assert_eq!(stderr, "", "{path}");
        assert!(page.contains("DESCRIPTION"), "{path}");
    }
}

#[test]
fn bash_zsh_and_fish_parse_their_completion_files() {
    for shell in ["bash", "zsh", "fish"] {
        for (path, text) in generated(&format!("completions/{shell}/")) {
            let Some((_, stderr)) = run(shell, &["-n"], &text) else { break };
            assert_eq!(stderr, "", "{path}");
        }
    }
}

/// Returns the words that bash offers when the Tab key is pressed after `words`.
fn complete_in_bash(words: &[&str]) -> Option<Vec<String>> {
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let program = words[0];
    let script = format!(
        "{}\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_{program}\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        completion(&format!("completions/bash/{program}")),
        quoted.join(" "),
        words.len() - 1,
    );
    let (stdout, stderr) = run("bash", &["--norc"], &script)?;
    assert_eq!(stderr, "", "{words:?}");
    Some(stdout.split_whitespace().map(str::to_owned).collect())
}

#[test]
fn bash_completion_offers_verbs_options_values_and_files() {
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
        (&["portreeved", "run", "--"], &["--config", "--first-start"]),
    ];
    for (words, expected) in table {
        let Some(candidates) = complete_in_bash(words) else { return };
        assert_eq!(candidates, *expected, "{words:?}");
    }
    let letters = complete_in_bash(&["portreeve", "get", "-Oq"]).unwrap();
    assert!(
        letters.contains(&"-Oqv".to_owned()) && letters.iter().all(|word| word.starts_with("-Oq")),
        "{letters:?}"
    );
    let files = complete_in_bash(&["portreeved", "check", "src/ma"]).unwrap();
    assert_eq!(files, ["src/main.rs"]);
}
