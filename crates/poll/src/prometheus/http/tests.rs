use std::time::Duration;

use super::{LONGEST_HEAD, parse};

fn asked(text: &str) -> Option<Result<super::Head, u16>> {
    parse(text.as_bytes()).map(|result| result.map_err(|answer| answer.status))
}

#[test]
fn a_query_is_taken_apart_before_it_is_decoded() {
    let text = "GET /snmp?target=a%26b&auth=x+y&empty&bad=%zz%4 HTTP/1.1\r\n\
                X-Prometheus-Scrape-Timeout-Seconds: 2.5\r\norigin: http://elsewhere\r\n\r\n";
    let head = asked(text).unwrap().unwrap();
    let query: Vec<(&str, &str)> = head.query.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(query, [("target", "a&b"), ("auth", "x y"), ("empty", ""), ("bad", "%zz%4")]);
    assert_eq!((&*head.method, &*head.path, head.from_a_page), ("GET", "/snmp", true));
    assert_eq!(head.patience, Some(Duration::from_millis(2500)));
}

#[test]
fn a_head_that_has_not_ended_waits_for_more() {
    for text in ["", "GET", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: x\r\n"] {
        assert!(parse(text.as_bytes()).is_none(), "{text}");
    }
}

#[test]
fn what_is_no_request_or_too_much_of_one_is_refused() {
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(65));
    assert!(many.len() < LONGEST_HEAD);
    assert_eq!(asked(&many), Some(Err(431)));
    assert_eq!(asked("\0\0\0\0\r\n\r\n"), Some(Err(400)));
    assert_eq!(asked("GET / HTTP/9.9\r\n\r\n"), Some(Err(400)));
}

#[test]
fn a_patience_that_is_no_time_is_none() {
    for seconds in ["-1", "inf", "NaN", "1e300", "soon"] {
        let text = format!("GET / HTTP/1.1\r\nX-Prometheus-Scrape-Timeout-Seconds: {seconds}\r\n\r\n");
        assert_eq!(asked(&text).unwrap().unwrap().patience, None, "{seconds}");
    }
}
