use std::path::Path;

use super::*;

/// A timeout that no test reaches.
const LONG: Duration = Duration::from_secs(600);

fn shell(script: &str) -> HandlerCommand {
    HandlerCommand { program: "/bin/sh".into(), arguments: vec!["-c".to_owned(), script.to_owned()] }
}

fn run(script: &str, input: &[u8]) -> HandlerReport {
    run_handler(&shell(script), input, None, LONG)
}

/// Returns whether a process exists and is not a zombie.
fn is_running(pid: &str) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat"));
    status.is_ok_and(|status| !status.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

/// Waits until a process has ended: the kernel ends a killed process a moment later.
#[track_caller]
fn expect_end(pid: &[u8]) {
    let pid = std::str::from_utf8(pid).unwrap();
    assert!(pid.trim().parse::<u32>().is_ok(), "{pid:?}");
    let start = Instant::now();
    while is_running(pid) {
        assert!(start.elapsed() < LONG, "process {pid} is running");
        std::thread::sleep(MIN_PAUSE);
    }
}

#[test]
fn handler_reads_its_input_and_its_output_is_returned() {
    let report = run("cat; echo to stderr >&2; pwd", b"a line\n");
    assert_eq!(String::from_utf8_lossy(&report.output), "a line\nto stderr\n/\n");
    assert!(report.result.is_success() && !report.is_output_cut, "{report:?}");
}

#[test]
fn arguments_are_not_interpreted_by_a_shell() {
    let arguments = ["%s|", "a b", "$HOME", "*", ";id", ""].map(str::to_owned).to_vec();
    let command = HandlerCommand { program: "/usr/bin/printf".into(), arguments };
    let report = run_handler(&command, b"", None, LONG);
    assert_eq!(String::from_utf8_lossy(&report.output), "a b|$HOME|*|;id||");
}

#[test]
fn long_input_is_written_while_output_is_read() {
    let input = vec![b'x'; 3 << 20];
    let report = run("cat", &input);
    assert!(report.result.is_success() && report.is_output_cut, "{:?}", report.result);
    assert_eq!(report.output, vec![b'x'; MAX_OUTPUT]);
    let report = run("wc -c", &input);
    assert_eq!(String::from_utf8_lossy(&report.output).trim(), "3145728");
}

#[test]
fn status_and_signal_of_a_failed_handler_are_reported() {
    assert!(matches!(run("exit 7", b"").result, HandlerResult::Exited(7)));
    assert!(matches!(run("kill -TERM $$", b"").result, HandlerResult::Signaled(15)));
    assert_eq!(run("exit 7", b"").result.to_string(), "status=7");
}

#[test]
fn program_that_does_not_exist_is_reported() {
    let command = HandlerCommand { program: "/nonexistent/handler".into(), arguments: Vec::new() };
    let report = run_handler(&command, b"x", None, LONG);
    assert!(matches!(&report.result, HandlerResult::Failed(error) if error.kind() == ErrorKind::NotFound));
    assert!(report.output.is_empty());
}

#[test]
fn handler_that_hangs_is_killed_with_its_children() {
    // The pipe of the output stays open until the last process has ended.
    let script = "echo start; sleep 1000 & echo $! >&2; trap '' TERM; sleep 1000";
    let timeout = Duration::from_millis(500);
    let report = run_handler(&shell(script), b"", None, timeout);
    assert!(matches!(report.result, HandlerResult::TimedOut(of) if of == timeout), "{report:?}");
    // A slow machine may not have started the script.
    if let Some(pid) = report.output.strip_prefix(b"start\n").filter(|pid| !pid.is_empty()) {
        expect_end(pid);
    }
}

#[test]
fn children_that_stay_are_killed_when_the_handler_ends() {
    // The children keep the pipes of the handler.
    let report = run("sleep 1000 & echo $!", b"");
    assert!(report.result.is_success(), "{report:?}");
    expect_end(&report.output);
}

#[test]
fn child_in_a_session_of_its_own_outlives_the_handler() {
    let report = run("setsid sleep 1000 & echo $!; sleep 0.2", b"");
    assert!(report.result.is_success(), "{report:?}");
    let pid = String::from_utf8(report.output).unwrap();
    assert!(is_running(&pid));
    let pid = Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::KILL).unwrap();
}

#[test]
fn megabytes_of_output_are_discarded() {
    let report = run("head -c 20000000 /dev/zero; echo end >&2; exit 3", b"");
    assert!(matches!(report.result, HandlerResult::Exited(3)), "{:?}", report.result);
    assert_eq!((report.output, report.is_output_cut), (vec![0; MAX_OUTPUT], true));
}

#[test]
fn handler_may_close_its_input_early() {
    let input = vec![b'x'; 3 << 20];
    let report = run("exec <&-; echo done", &input);
    assert!(report.result.is_success(), "{report:?}");
    assert_eq!(report.output, b"done\n");
    assert!(run("read line; exit 0", &input).result.is_success());
}

#[test]
fn input_is_closed_when_the_handler_reads_no_more() {
    // An open pipe without a reader would be ready all the time, and would not let the thread wait.
    let mut running = Running::start(&shell("exit 0")).unwrap();
    while !running.has_ended().unwrap() {
        std::thread::sleep(MIN_PAUSE);
    }
    running.write(&mut &b"x"[..]);
    assert!(running.input.is_none());
}

#[test]
fn handler_may_close_its_output_early() {
    let report = run("exec >&- 2>&-; sleep 0.1; exit 4", b"x");
    assert!(matches!(report.result, HandlerResult::Exited(4)), "{report:?}");
}

#[test]
fn community_is_not_in_the_output() {
    let community = Secret::from("sesame");
    let output = |script: &str| {
        let report = run_handler(&shell(script), b"sesame sesame\n", Some(&community), LONG);
        String::from_utf8(report.output).unwrap()
    };
    assert_eq!(output("cat; echo sesam"), "(secret) (secret)\nsesam\n");
    // The end of the text that is kept cuts the community.
    let cut = output("head -c 4093 /dev/zero | tr '\\0' x; cat");
    assert_eq!(cut, "x".repeat(4093));
    let empty = run_handler(&shell("cat"), b"text", Some(&Secret::from("")), LONG);
    assert_eq!(empty.output, b"text");
}

#[test]
fn signals_of_pipes_have_their_default_in_the_handler() {
    // Without the signal, `yes` would report an error.
    let report = run("yes | head -n 1", b"");
    assert_eq!(report.output, b"y\n");
}
