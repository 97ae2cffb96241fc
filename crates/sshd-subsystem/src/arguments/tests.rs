use super::*;

#[test]
fn socket_operand_is_optional() {
    assert_eq!(read(&[]), Ok(Command::Relay("/run/portreeve/snmp.sock".into())));
    assert_eq!(read(&["/x/y.sock"]), Ok(Command::Relay("/x/y.sock".into())));
}

#[test]
fn invalid_command_lines_are_rejected() {
    assert_eq!(read(&["--socket"]), Err(UsageError::UnknownOption("--socket".into())));
    assert_eq!(read(&["a", "b"]), Err(UsageError::Unexpected("b".into())));
    assert_eq!(UsageError::UnknownOption("-\u{1b}[2J".into()).to_string(), "unknown option `-\\u{1b}[2J`");
}

#[test]
fn help_and_version_are_parsed_and_help_names_the_default_socket() {
    assert_eq!(read(&["--help"]), Ok(Command::Help));
    assert_eq!(read(&["-V"]), Ok(Command::Version));
    assert!(help().contains(DEFAULT_RELAY_SOCKET));
}

fn read(arguments: &[&str]) -> Result<Command, UsageError> {
    parse(arguments.iter().map(OsString::from))
}
