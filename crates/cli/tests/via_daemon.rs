//! Tests of `trap --via-daemon` and `inform --via-daemon`, with an agent's control socket in the
//! test process.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::{
    fs::{self, Permissions},
    io::{ErrorKind, Read, Write},
    os::unix::{fs::PermissionsExt, net::UnixListener, process::CommandExt},
    process::Command,
    sync::{Arc, Mutex},
    thread,
};

use portreeve_control_protocol::{NotificationOutcome, Request, Response, SubmittedNotification};
use portreeve_smi::Value;
use portreeve_snmp_message::VarBinds;
use support::CommandOutput;
use tempfile::TempDir;

/// An agent that answers the requests with these responses in turn, and the last one forever. It
/// closes the connection instead if there are none.
struct TestAgent {
    directory: TempDir,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl TestAgent {
    fn start(responses: Vec<Response>) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(directory.path().join("control.sock")).unwrap();
        let requests = Arc::<Mutex<Vec<_>>>::default();
        let received = Arc::clone(&requests);
        // The thread ends with the process.
        thread::spawn(move || {
            for (number, connection) in listener.incoming().enumerate() {
                let mut connection = connection.unwrap();
                let mut octets = Vec::new();
                connection.read_to_end(&mut octets).unwrap();
                received.lock().unwrap().push(Request::decode(&octets).unwrap());
                if let Some(response) = responses.get(number).or(responses.last()) {
                    connection.write_all(&response.encode()).unwrap();
                }
            }
        });
        Self { directory, requests }
    }

    fn submitted(outcome: NotificationOutcome) -> Self {
        Self::start(vec![Response::Submitted(outcome)])
    }

    /// Runs `portreeve`, or the name in `called`, with the words in `line`; SOCKET is the agent's
    /// socket, and `''` an empty word.
    fn run(&self, called: &str, line: &str) -> CommandOutput {
        run(called, &line.replace("SOCKET", self.directory.path().join("control.sock").to_str().unwrap()))
    }

    /// Returns the only request.
    fn notification(&self) -> SubmittedNotification {
        match self.requests.lock().unwrap().as_slice() {
            [Request::Notify(notification)] => notification.clone(),
            other => panic!("{other:?}"),
        }
    }
}

fn run(called: &str, line: &str) -> CommandOutput {
    command(called, line).output().unwrap().into()
}

fn command(called: &str, line: &str) -> Command {
    let words = line.split(' ').map(|word| if word == "''" { "" } else { word });
    let mut command = isolated(Command::new(env!("CARGO_BIN_EXE_portreeve")));
    command.arg0(called).args(words);
    command
}

/// Makes a command independent of the files of the user.
fn isolated(mut command: Command) -> Command {
    command.env("SNMPCONFPATH", "/nonexistent").env("MIBS", "").env("XDG_CACHE_HOME", "/dev/null");
    command
}

/// Returns the variables as text.
fn variables(notification: &SubmittedNotification) -> Vec<String> {
    let parsed = VarBinds::parse_encoded(&notification.variables).unwrap();
    let text = |value| match value {
        Value::ObjectId(oid) => format!("{:?}", oid.to_buf()),
        Value::OctetString(octets) => octets.escape_ascii().to_string(),
        other => format!("{other:?}"),
    };
    parsed.iter().map(|bind| format!("{:?} {}", bind.name.to_buf(), text(bind.value))).collect()
}

#[test]
fn inform_exits_with_0_when_the_agent_has_stored_it() {
    let agent = TestAgent::submitted(outcome(0, 1, 0, 0));
    let line = "inform --via-daemon --control SOCKET -n bridge1 42 coldStart sysName.0 s abc";
    agent.run("portreeve", line).expect(0, "", "");
    let notification = agent.notification();
    assert_eq!((&*notification.context_name, notification.up_time), (&b"bridge1"[..], Some(42)));
    let expected = ["1.3.6.1.6.3.1.1.4.1.0 1.3.6.1.6.3.1.1.5.1", "1.3.6.1.2.1.1.5.0 abc"];
    assert_eq!(variables(&notification), expected);
}

#[test]
fn empty_uptime_is_that_of_the_agent() {
    let agent = TestAgent::submitted(outcome(0, 1, 0, 0));
    agent.run("snmpinform", "--via-daemon --control=SOCKET '' coldStart").expect(0, "", "");
    assert_eq!(agent.notification().up_time, None);
}

#[test]
fn kind_of_notification_is_that_of_the_targets() {
    let traps = TestAgent::submitted(outcome(1, 0, 0, 0));
    let line = "--via-daemon --control SOCKET '' coldStart";
    traps.run("portreeve", &format!("trap {line}")).expect(0, "", "");
    for verb in ["inform", "trap -Ci"] {
        let output = traps.run("portreeve", &format!("{verb} {line}"));
        let verb = verb.split(' ').next().unwrap();
        let expected = format!(
            "portreeve {verb}: the notification is not stored for any target: 1 sent as a trap\n\
             hint: informs are sent to targets with `kind = \"inform\"` in portreeved.toml\n"
        );
        output.expect(2, "", &expected);
    }
    let informs = TestAgent::submitted(outcome(0, 1, 0, 0));
    informs.run("portreeve", &format!("trap {line}")).expect(0, "", "");
}

#[test]
fn targets_with_full_queues_are_reported_although_another_stores_it() {
    let agent = TestAgent::submitted(outcome(0, 1, 0, 2));
    let warning = "portreeve inform: discarded for 2 of 3 targets, because the queue is full\n";
    agent.run("portreeve", "inform --via-daemon --control SOCKET '' coldStart").expect(0, "", warning);
}

#[test]
fn numbers_of_targets_are_printed_as_json() {
    let line = "inform --via-daemon --json --control SOCKET '' coldStart";
    let stored = TestAgent::submitted(outcome(1, 2, 3, 0));
    let expected = "{\"traps\":1,\"informs\":2,\"withheld\":3,\"discarded\":0}\n";
    stored.run("portreeve", line).expect(0, expected, "");
    let output = TestAgent::submitted(outcome(0, 0, 0, 0)).run("portreeve", line);
    let expected = "{\"traps\":0,\"informs\":0,\"withheld\":0,\"discarded\":0}\n";
    assert_eq!((output.code, output.stdout.as_str()), (Some(2), expected));
}

#[test]
fn rejection_of_the_agent_is_reported() {
    for (response, code, message) in [
        (Response::Refused { reason: "invalid\nhint: x".into() }, 2, "invalid\nhint: x"),
        (Response::Interrupted { reason: "not stored".into() }, 2, "not stored"),
        (Response::UnknownRequest, 1, "the agent does not accept notifications\n"),
    ] {
        let agent = TestAgent::start(vec![response]);
        let output = agent.run("portreeve", "inform --via-daemon --control SOCKET '' coldStart");
        assert!(output.stderr.starts_with(&format!("portreeve inform: {message}")), "{}", output.stderr);
        assert_eq!((output.code, output.stdout.as_str()), (Some(code), ""));
    }
}

#[test]
fn notification_is_submitted_again_while_the_agent_is_busy() {
    let agent =
        TestAgent::start(vec![Response::Busy, Response::Busy, Response::Submitted(outcome(0, 1, 0, 0))]);
    agent.run("portreeve", "inform --via-daemon --control SOCKET '' coldStart").expect(0, "", "");
    assert_eq!(agent.requests.lock().unwrap().len(), 3);
    let busy = TestAgent::start(vec![Response::Busy]);
    busy.run("portreeve", "inform --via-daemon --deadline 0.3 --control SOCKET '' coldStart").expect(
        1,
        "",
        "portreeve inform: the agent is busy: too many notifications wait for its disk\n",
    );
}

#[test]
fn agent_that_does_not_respond_is_reported() {
    let closing = TestAgent::start(vec![]);
    let output = closing.run("portreeve", "inform --via-daemon --control SOCKET '' coldStart");
    assert_eq!(output.code, Some(1));
    assert!(output.stderr.contains("has closed the connection without a response\n"), "{}", output.stderr);
    let directory = tempfile::tempdir().unwrap();
    let socket = directory.path().join("control.sock");
    let _listener = UnixListener::bind(&socket).unwrap();
    let line = format!("inform --via-daemon --deadline 0.2 --control {} '' coldStart", socket.display());
    let output = run("portreeve", &line);
    assert_eq!(output.code, Some(1));
    assert!(output.stderr.contains(") did not respond within "), "{}", output.stderr);
}

#[test]
fn missing_agent_is_reported_with_the_socket() {
    let directory = tempfile::tempdir().unwrap();
    let socket = directory.path().join("control.sock");
    let line = format!("inform --via-daemon --control {} '' coldStart", socket.display());
    let expected = |cause: &str| {
        format!(
            "portreeve inform: no agent listens on {}: {cause}\n\
             hint: start portreeved, or specify the control socket in its state directory with --control\n",
            socket.display()
        )
    };
    run("portreeve", &line).expect(1, "", &expected("No such file or directory (os error 2)"));
    drop(UnixListener::bind(&socket).unwrap());
    run("portreeve", &line).expect(1, "", &expected("Connection refused (os error 111)"));
}

#[test]
fn user_without_access_to_the_socket_is_reported() {
    let agent = TestAgent::submitted(outcome(0, 1, 0, 0));
    let directory = agent.directory.path();
    // A copy, because other users may have no access to the directory of the program.
    let public = tempfile::tempdir().unwrap();
    fs::set_permissions(public.path(), Permissions::from_mode(0o755)).unwrap();
    let program = public.path().join("portreeve");
    // Another process copies it, because a child of another test could inherit the open file, which
    // cannot be executed then.
    assert!(
        Command::new("cp").arg(env!("CARGO_BIN_EXE_portreeve")).arg(&program).status().unwrap().success()
    );
    let is_root = rustix::process::geteuid().is_root();
    let mut command = isolated(Command::new(program));
    if is_root {
        command.uid(OTHER_USER).gid(OTHER_USER).current_dir("/");
    } else {
        fs::set_permissions(directory, Permissions::from_mode(0o000)).unwrap();
    }
    let socket = directory.join("control.sock");
    command.args(["inform", "--via-daemon", "--control"]).arg(&socket).args(["", "coldStart"]);
    let output: CommandOutput = loop {
        match command.output() {
            // A process that another test starts may have inherited the descriptor of the copy.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {}
            output => break output.unwrap().into(),
        }
    };
    fs::set_permissions(directory, Permissions::from_mode(0o700)).unwrap();
    let expected = format!(
        "portreeve inform: {}: cannot reach the agent: Permission denied (os error 13)\n\
         hint: run this command as root or as the agent's account\n",
        socket.display()
    );
    output.expect(1, "", &expected);
}

#[test]
fn operands_are_checked_before_the_agent_is_asked() {
    let agent = TestAgent::submitted(outcome(0, 1, 0, 0));
    let long = "a".repeat(60_000);
    for (operands, message) in [
        ("", "Missing up-time parameter\n"),
        (" ''", "Missing trap-oid parameter\n"),
        (" x coldStart", "x: invalid uptime: "),
        (" '' noSuchName", "noSuchName: Unknown Object Identifier"),
        (" '' coldStart sysName.0 s", "sysName.0: Missing type/value for variable\n"),
        (&format!(" '' coldStart sysName.0 s {long}"), "the variables are too long: 60"),
    ] {
        let output = agent.run("portreeve", &format!("inform --via-daemon -Ir --control SOCKET{operands}"));
        assert_eq!(output.code, Some(1), "{operands}");
        assert!(output.stderr.starts_with(message), "{operands}: {}", output.stderr);
    }
    assert!(agent.requests.lock().unwrap().is_empty());
}

#[test]
fn options_that_have_no_effect_are_refused() {
    let with = "cannot be used with --via-daemon: the configuration of portreeved decides how notifications are sent";
    for (flags, flag, reason) in [
        ("--via-daemon -c public", "-c", with),
        ("-v2c --via-daemon", "-v", with),
        ("--via-daemon --certificate a.pem", "--certificate", with),
        ("--via-daemon -t 1", "-t", with),
        ("--control /s", "--control", "can be used only with --via-daemon"),
        ("--json", "--json", "can be used only with --via-daemon"),
        ("--deadline 1", "--deadline", "can be used only with --via-daemon"),
    ] {
        let output = run("portreeve", &format!("inform {flags} '' coldStart"));
        assert!(
            output.stderr.starts_with(&format!("{flag} {reason}\nUSAGE: ")),
            "{flags}: {}",
            output.stderr
        );
        assert_eq!(output.code, Some(1), "{flags}");
    }
}

/// The first operand is an uptime, not a host.
#[test]
fn file_of_a_host_is_not_read() {
    let agent = TestAgent::submitted(outcome(0, 1, 0, 0));
    let files = tempfile::tempdir().unwrap();
    fs::create_dir(files.path().join("hosts")).unwrap();
    fs::write(files.path().join("hosts/42.conf"), "defContext other\ntransport tcp:other\n").unwrap();
    let socket = agent.directory.path().join("control.sock");
    let line = format!("inform --via-daemon --control {} 42 coldStart", socket.display());
    let mut command = command("portreeve", &line);
    let output: CommandOutput = command.env("SNMPCONFPATH", files.path()).output().unwrap().into();
    output.expect(0, "", "");
    let notification = agent.notification();
    assert_eq!((&*notification.context_name, notification.up_time), (&b""[..], Some(42)));
}

/// The agent closes the connection without reading a request that is too long.
#[test]
fn longest_notification_is_submitted() {
    let agent = TestAgent::submitted(outcome(0, 1, 0, 0));
    let value = "a".repeat(59_900);
    let output = agent.run(
        "portreeve",
        &format!("inform --via-daemon -Ir --control SOCKET '' coldStart sysName.0 s {value}"),
    );
    output.expect(0, "", "");
    assert!(agent.notification().variables.len() > 59_900);
}

fn outcome(traps: u32, informs: u32, withheld: u32, discarded: u32) -> NotificationOutcome {
    NotificationOutcome { traps, informs, withheld, discarded }
}

const OTHER_USER: u32 = 65_534;
