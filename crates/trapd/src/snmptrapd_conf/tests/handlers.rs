use super::*;

#[test]
fn handlers_and_receivers_share_one_table() {
    let conf = parsed(
        "traphandle default /usr/bin/mail -s \"a trap\" root\ntraphandle coldStart /bin/a\n\
         forward .1.3.6.1.4.1.* udp:192.0.2.1\nforward default tcp:[2001:db8::1]:1162\n",
    );
    assert_eq!(conf.handlers.iter().map(|handler| handler.location.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(conf.handlers[2].pattern, OidPattern::Below("1.3.6.1.4.1".parse().unwrap()));
    let table = conf.handler_table(|directive| Some(directive.action.clone()));
    let selected = |oid: &str| {
        let oid: Oid = oid.parse().unwrap();
        let actions = table.select(&oid).into_iter().map(|action| match action {
            HandlerAction::Run(command) => format!("{} {:?}", command.program.display(), command.arguments),
            HandlerAction::Forward(address) => format!("{}:{}", address.host, address.port),
        });
        actions.collect::<Vec<_>>()
    };
    assert_eq!(selected("1.3.6.1.6.3.1.1.5.1"), ["/bin/a []"]);
    assert_eq!(selected("1.3.6.1.4.1.9"), ["192.0.2.1:162"]);
    assert_eq!(selected("1.3.7"), ["2001:db8::1:1162", "/usr/bin/mail [\"-s\", \"a trap\", \"root\"]"]);
}

#[test]
fn invalid_handler_is_reported() {
    for (text, expected) in [
        ("traphandle default", "traphandle: missing value: expected the path of a program"),
        ("traphandle default mail", "traphandle: invalid program \"mail\": expected an absolute path"),
        (
            "traphandle .1.*.3 /bin/a",
            "traphandle: invalid notification \".1.*.3\": `*` is permitted only at the end",
        ),
        (
            "forward default",
            "forward: missing value: expected the address of a receiver, for example udp:192.0.2.1",
        ),
        (
            "forward default udp:h:0",
            "forward: invalid address \"udp:h:0\": the port is not a number from 1 to 65535: expected, for \
             example, udp:192.0.2.1 or tcp:[2001:db8::1]:162",
        ),
    ] {
        assert_eq!(problem(text), expected);
    }
}

#[test]
fn command_for_a_shell_is_a_warning() {
    for command in ["/bin/a > /tmp/x", "/bin/a | /bin/b", "/bin/a \"$HOME\"", "/bin/a `id`", "/bin/a x &"] {
        let (conf, problems) = parse_with_mode(&format!("traphandle .1.3.6* {command}\n"), 0o600);
        let expected = "snmptrapd.conf:1: warning: traphandle: the program runs without a shell";
        assert!(problems.len() == 1 && problems[0].starts_with(expected), "{command}: {problems:?}");
        assert_eq!(conf.handlers.len(), 1);
    }
    parsed(
        "traphandle .1.3.6* /bin/sh -c '/bin/a | /bin/b > $HOME'\ntraphandle default /bin/a \\$x \"a|b\"\n",
    );
}
