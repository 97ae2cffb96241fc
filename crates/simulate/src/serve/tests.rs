use super::*;
use crate::arguments::{Command, parse};

fn plan(line: &str) -> SimulationPlan {
    match parse(line.split_whitespace().map(Into::into)) {
        Ok(Command::Serve(plan)) => *plan,
        other => panic!("{other:?}"),
    }
}

fn addresses(line: &str, agents: usize) -> Vec<String> {
    listeners(&plan(line), agents).unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn agents_get_consecutive_ports_or_addresses() {
    let by_port = addresses("--listen udp:127.0.0.1:1161 --listen tcp:[::1]:161 a", 2);
    assert_eq!(by_port, ["udp:127.0.0.1:1161", "udp:127.0.0.1:1162", "tcp:[::1]:161", "tcp:[::1]:162"]);
    let by_address = addresses("--by address --listen udp:127.0.0.255:1161 a", 2);
    assert_eq!(by_address, ["udp:127.0.0.255:1161", "udp:127.0.1.0:1161"]);
    assert_eq!(addresses("--by context a", 1), ["udp:127.0.0.1:1161"]);
}

#[test]
fn more_agents_than_addresses_or_ports_are_rejected() {
    for (line, agents) in [
        ("--listen udp:127.0.0.1:65535 a", 2),
        ("--listen udp:127.0.0.1:1 a", 70_000),
        ("--by address --listen udp:255.255.255.255:1 a", 2),
    ] {
        let error = listeners(&plan(line), agents).unwrap_err().to_string();
        assert!(error.contains("not enough addresses or ports for"), "{error}");
    }
}

#[test]
fn context_names_are_recording_file_names_with_counter() {
    let names: Vec<_> = context_names(&["x/a.walk", "b"]).take(5).collect();
    let names: Vec<_> = names.iter().map(|name| std::str::from_utf8(name).unwrap()).collect();
    assert_eq!(names, ["a", "b", "a-1", "b-1", "a-2"]);
}

#[test]
fn duplicate_or_long_context_name_is_rejected() {
    let name = |files: &[&str], agents| {
        name_contexts(files, std::iter::repeat_with(Arc::default).take(agents)).map(|named| named.len())
    };
    assert_eq!(name(&["a", "b"], 5).unwrap(), 5);
    let twice = name(&["x/a.walk", "y/a.walk"], 2).unwrap_err().to_string();
    assert_eq!(twice, "two recordings have the context name `a`");
    let long = name(&["a-recording-of-thirty-two-octets"], 2).unwrap_err().to_string();
    assert!(long.starts_with("`a-recording-of-thirty-two-octets-1` is not a valid context name"), "{long}");
}

#[test]
fn missing_file_or_empty_recording_is_rejected() {
    let none = serve(&plan("/nowhere/at-all")).unwrap_err().to_string();
    assert!(none.starts_with("/nowhere/at-all: "), "{none}");
    let empty = serve(&plan(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))).unwrap_err().to_string();
    assert!(empty.ends_with("the recording is empty"), "{empty}");
}
