use super::*;

fn read(line: &str) -> Result<Command, String> {
    parse(line.split_whitespace().map(OsString::from)).map_err(|misused| misused.to_string())
}

#[test]
fn options_stand_before_or_behind_the_file() {
    let poll = |once, form| Ok(Command::Poll { file: "f.toml".into(), once, form });
    assert_eq!(read("f.toml"), poll(false, Form::Json));
    assert_eq!(read("--once f.toml --csv"), poll(true, Form::Csv));
    assert_eq!(read("--csv --jsonl f.toml"), poll(false, Form::Json));
    assert_eq!(read("f.toml --check"), Ok(Command::Check("f.toml".into())));
    assert_eq!(read("-V -h"), Ok(Command::Version));
}

#[test]
fn what_means_nothing_is_told() {
    let table = [
        ("", "no file is given"),
        ("a b", "more than one file is given"),
        ("a --twice", "there is no option --twice"),
        ("a --once=1", "--once takes no value"),
    ];
    for (line, expected) in table {
        assert_eq!(read(line), Err(expected.to_owned()), "{line}");
    }
}

#[test]
fn every_option_is_in_the_help() {
    let help = help();
    assert!(OPTIONS.iter().all(|option| help.contains(&option.flag.written())), "{help}");
}
