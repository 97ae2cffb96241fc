use std::ffi::OsString;

use super::{Parsed, help, parse};
use crate::CompileRequest;

fn run(line: &str) -> Result<Parsed, String> {
    parse(line.split_whitespace().map(OsString::from)).map_err(|error| error.to_string())
}

#[test]
fn check_accepts_options_and_modules() {
    let request = CompileRequest {
        modules: ["a.yang", "b", "--c"].map(str::to_owned).to_vec(),
        shipped: true,
        directories: vec!["x".into(), "y".into()],
        features: vec![("b".to_owned(), vec!["f".to_owned(), "g".to_owned()]), ("d".to_owned(), Vec::new())],
    };
    assert_eq!(
        run("check --shipped --path x a.yang --features b:f,g --path=y b --features d: -- --c"),
        Ok(Parsed::Check(request))
    );
}

#[test]
fn shipped_modules_need_no_operand() {
    let request = CompileRequest { shipped: true, ..CompileRequest::default() };
    assert_eq!(run("check --shipped"), Ok(Parsed::Check(request)));
}

#[test]
fn help_and_version_are_recognized() {
    for line in ["", "help", "--help", "-h", "check --help", "check -h"] {
        assert_eq!(run(line), Ok(Parsed::Help), "{line}");
    }
    for line in ["version", "--version", "-V"] {
        assert_eq!(run(line), Ok(Parsed::Version), "{line}");
    }
}

#[test]
fn invalid_command_lines_are_rejected() {
    for (line, message) in [
        ("make", "unknown command `make`: expected check"),
        ("check", "MODULE is missing"),
        ("check --path", "invalid value \"\" of `--path DIR`"),
        ("check --path= a", "invalid value \"\" of `--path DIR`"),
        ("check --shipped=x", "invalid value \"x\" of `--shipped`"),
        ("check --paths o a", "unknown option `--paths`"),
        ("check --features f a", "invalid value \"f\" of `--features MODULE:FEATURE,...`"),
        ("check --features :f a", "invalid value \":f\" of `--features MODULE:FEATURE,...`"),
    ] {
        assert_eq!(run(line), Err(message.to_owned()), "{line}");
    }
}

#[test]
fn help_lists_every_option() {
    let help = help();
    for option in ["--path DIR", "--shipped", "--features MODULE:FEATURE,...", "-h, --help", "-V, --version"]
    {
        assert!(help.contains(option), "{help}");
    }
}
