use super::*;
use crate::HandlerResult;

fn command(argument: &str) -> HandlerCommand {
    HandlerCommand { program: "/bin/mail".into(), arguments: vec![argument.to_owned()] }
}

fn report(result: HandlerResult, output: &str) -> HandlerReport {
    HandlerReport { result, output: output.as_bytes().to_vec(), is_output_cut: false }
}

#[test]
fn failure_is_logged_once_in_a_minute_with_the_number_of_runs() {
    let (mut log, start) = (HandlerLog::default(), Instant::now());
    let mut line = |seconds, argument| {
        let report = report(HandlerResult::Exited(1), "");
        log.line(start + Duration::from_secs(seconds), &command(argument), &report)
    };
    let expected = |runs| Some(format!("handler failed program=/bin/mail status=1 runs={runs}"));
    assert_eq!(line(0, "sesame"), expected(1));
    assert_eq!(line(1, "sesame"), None);
    assert_eq!(line(59, "sesame"), None);
    assert_eq!(line(60, "sesame"), expected(3));
    assert_eq!(line(61, "sesame"), None);
    // Another handler has a limit of its own.
    assert_eq!(line(61, "other"), expected(1));
}

#[test]
fn output_of_a_success_does_not_suppress_a_failure() {
    let (mut log, now) = (HandlerLog::default(), Instant::now());
    let success = report(HandlerResult::Exited(0), "sent\n");
    let expected = "handler printed output program=/bin/mail status=0 runs=1 output=\"sent\\n\"";
    assert_eq!(log.line(now, &command(""), &success).as_deref(), Some(expected));
    let failure = report(HandlerResult::Signaled(9), "");
    let expected = "handler failed program=/bin/mail signal=9 runs=1";
    assert_eq!(log.line(now, &command(""), &failure).as_deref(), Some(expected));
}

#[test]
fn silent_success_is_not_logged() {
    let mut log = HandlerLog::default();
    assert_eq!(log.line(Instant::now(), &command(""), &report(HandlerResult::Exited(0), "")), None);
    assert!(log.handlers.is_empty());
}

#[test]
fn line_contains_one_line_of_plain_text() {
    let mut log = HandlerLog::default();
    let hostile = HandlerCommand { program: "/bin/a b\n=".into(), arguments: Vec::new() };
    let failure = HandlerReport {
        is_output_cut: true,
        ..report(HandlerResult::Failed(std::io::Error::other("x\n\"")), "\u{1b}[2J\nfake line\u{202e}")
    };
    let line = log.line(Instant::now(), &hostile, &failure).unwrap();
    assert_eq!(
        line,
        "handler failed program=\"/bin/a b\\n=\" error=\"x\\n\\\"\" runs=1 \
         output=\"\\u001b[2J\\nfake line\\u202e\" cut=true"
    );
    let timeout = report(HandlerResult::TimedOut(Duration::from_secs(30)), "");
    let line = log.line(Instant::now(), &command(""), &timeout).unwrap();
    assert_eq!(line, "handler failed program=/bin/mail timeout=30s runs=1");
}

#[test]
fn number_of_handlers_is_bounded() {
    let (mut log, now) = (HandlerLog::default(), Instant::now());
    let failure = report(HandlerResult::Exited(1), "");
    let logged =
        (0..MAX_HANDLERS + 5).filter(|n| log.line(now, &command(&n.to_string()), &failure).is_some());
    assert_eq!(logged.count(), MAX_HANDLERS);
    assert_eq!(log.handlers.len(), MAX_HANDLERS);
}

#[test]
fn refused_runs_are_counted_for_each_handler() {
    let (mut log, start) = (HandlerLog::default(), Instant::now());
    let mut line =
        |seconds, argument| log.refused_line(start + Duration::from_secs(seconds), &command(argument));
    let expected = |runs| Some(format!("handlers are not run: too many wait program=/bin/mail runs={runs}"));
    assert_eq!([line(0, "a"), line(1, "a"), line(1, "b")], [expected(1), None, expected(1)]);
    assert_eq!([line(2, "a"), line(60, "a")], [None, expected(3)]);
}

#[test]
fn runs_that_were_not_logged_are_counted_at_the_end() {
    let (mut log, now) = (HandlerLog::default(), Instant::now());
    let results = [HandlerResult::Exited(1), HandlerResult::Exited(2), HandlerResult::Stopped];
    for result in results {
        log.line(now, &command("a"), &report(result, "text"));
    }
    log.line(now, &command("b"), &report(HandlerResult::Exited(1), ""));
    (0..3).for_each(|_| drop(log.line(now, &command("b"), &report(HandlerResult::Exited(0), "text"))));
    (0..5).for_each(|_| drop(log.refused_line(now, &command("c"))));
    assert_eq!(
        log.last_lines(),
        [
            "handler failed program=/bin/mail stopped=true runs=2",
            "handler printed output program=/bin/mail status=0 runs=2",
            "handlers are not run: too many wait program=/bin/mail runs=4"
        ]
    );
    assert_eq!(log.last_lines(), Vec::<String>::new());
    let line = HandlerLog::discarded_line(&command("a"), 7);
    assert_eq!(line, "handlers are not run: the program ends program=/bin/mail runs=7");
}
