use super::*;

#[test]
fn commands_create_as_many_interfaces_as_wanted() {
    let names = |kind, number| {
        let commands = commands(kind, number, "/namespace");
        // The names in the agent's namespace, without that of the observer.
        let words: Vec<String> = commands.split_whitespace().map(str::to_owned).collect();
        let mut names: Vec<String> =
            words.into_iter().filter(|word| word.starts_with("idle") || word == "odd").collect();
        names.sort();
        names.dedup();
        names.len()
    };
    for number in [0, 1, 2, 7, 998] {
        for kind in [InterfaceKind::Veth, InterfaceKind::Tap, InterfaceKind::Vlan, InterfaceKind::Dummy] {
            assert_eq!(names(kind, number), number, "{kind}");
        }
    }
}

#[test]
fn unknown_kind_is_unavailable_and_other_errors_are_not() {
    let explain = |text: &str| explain(InterfaceKind::Vlan, NetError::Failed(text.to_owned()));
    assert!(explain("ip -batch -: Error: Unknown device type.").is_unavailable());
    assert!(!explain("ip -batch -: RTNETLINK answers: File exists").is_unavailable());
}
