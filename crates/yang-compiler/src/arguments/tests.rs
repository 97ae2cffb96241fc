use std::ffi::OsString;

use super::{Parsed, help, parse};
use crate::CompileRequest;

fn run(line: &str) -> Result<Parsed, String> {
    parse(line.split_whitespace().map(OsString::from)).map_err(|error| error.to_string())
}

#[test]
fn compile_accepts_options_and_modules() {
    let request = CompileRequest {
        modules: ["a.yang", "b", "--c"].map(str::to_owned).to_vec(),
        shipped: true,
        directories: vec!["x".into(), "y".into()],
        features: vec![("b".to_owned(), vec!["f".to_owned(), "g".to_owned()]), ("d".to_owned(), Vec::new())],
    };
    assert_eq!(
        run("compile --shipped --path x a.yang --out=o --features b:f,g --path=y b --features d: -- --c"),
        Ok(Parsed::Compile(request, "o".into()))
    );
}

#[test]
fn shipped_modules_need_no_operand() {
    let request = CompileRequest { shipped: true, ..CompileRequest::default() };
    assert_eq!(run("compile --shipped --out o"), Ok(Parsed::Compile(request, "o".into())));
}

#[test]
fn check_accepts_options_and_modules() {
    let request = CompileRequest {
        modules: vec!["a".to_owned()],
        directories: vec!["x".into()],
        ..CompileRequest::default()
    };
    assert_eq!(run("check --path x a"), Ok(Parsed::Check(request)));
}

#[test]
fn show_accepts_one_file() {
    assert_eq!(run("show a.schema"), Ok(Parsed::Show("a.schema".into())));
    assert_eq!(run("show -- -a"), Ok(Parsed::Show("-a".into())));
}

#[test]
fn help_and_version_are_recognized() {
    for line in ["", "help", "--help", "-h", "compile --help", "show -h"] {
        assert_eq!(run(line), Ok(Parsed::Help), "{line}");
    }
    for line in ["version", "--version", "-V"] {
        assert_eq!(run(line), Ok(Parsed::Version), "{line}");
    }
}

#[test]
fn invalid_command_lines_are_rejected() {
    for (line, message) in [
        ("make", "unknown command `make`: expected compile, check or show"),
        ("compile a", "--out FILE is missing"),
        ("compile --out o", "MODULE is missing"),
        ("compile --out", "the option `--out FILE` needs a value"),
        ("compile a --features", "the option `--features MODULE:FEATURE,...` needs a value"),
        ("compile --out= a", "invalid value \"\" of `--out FILE`"),
        ("compile --shipped=x --out o", "invalid value \"x\" of `--shipped`"),
        ("compile --outer o a", "unknown option `--outer`"),
        ("compile --features f --out o a", "invalid value \"f\" of `--features MODULE:FEATURE,...`"),
        ("compile --features :f --out o a", "invalid value \":f\" of `--features MODULE:FEATURE,...`"),
        ("check --out o a", "unknown option `--out`"),
        ("check", "MODULE is missing"),
        ("show", "FILE is missing"),
        ("show a b", "unexpected argument `b`"),
        ("show --all a", "unknown option `--all`"),
    ] {
        assert_eq!(run(line), Err(message.to_owned()), "{line}");
    }
}

#[test]
fn help_lists_every_option() {
    let help = help();
    for option in [
        "--out FILE",
        "--path DIR",
        "--shipped",
        "--features MODULE:FEATURE,...",
        "-h, --help",
        "-V, --version",
    ] {
        assert!(help.contains(option), "{help}");
    }
}
