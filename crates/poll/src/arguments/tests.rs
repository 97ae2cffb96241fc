use super::*;

fn read(line: &str) -> Result<Command, String> {
    parse(line.split_whitespace().map(OsString::from)).map_err(|error| error.to_string())
}

#[test]
fn options_are_accepted_before_and_after_file_name() {
    let poll = |once, format| Ok(Command::Poll { file: "f.toml".into(), once, format });
    assert_eq!(read("f.toml"), poll(false, OutputFormat::Json));
    assert_eq!(read("--once f.toml --csv"), poll(true, OutputFormat::Csv));
    assert_eq!(read("--csv --jsonl f.toml"), poll(false, OutputFormat::Json));
    assert_eq!(read("f.toml --check"), Ok(Command::Check("f.toml".into())));
    assert_eq!(read("-V -h"), Ok(Command::Version));
}

#[test]
fn invalid_command_line_is_rejected_with_reason() {
    let table = [
        ("", "no file is given"),
        ("a b", "more than one file is given"),
        ("a --twice", "unknown option --twice"),
        ("a --once=1", "--once takes no value"),
    ];
    for (line, expected) in table {
        assert_eq!(read(line), Err(expected.to_owned()), "{line}");
    }
}

#[test]
fn help_lists_all_options() {
    let help = help();
    assert!(OPTIONS.iter().all(|option| help.contains(&option.flag.syntax())), "{help}");
}
