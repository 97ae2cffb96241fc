use std::time::Duration;

use super::{MAX_HEAD_LEN, parse};

fn parse_text(text: &str) -> Option<Result<super::RequestHead, u16>> {
    parse(text.as_bytes()).map(|result| result.map_err(|response| response.status))
}

#[test]
fn http_query_is_split_into_parameters_before_they_are_decoded() {
    let text = "GET /snmp?target=a%26b&auth=x+y&empty&bad=%zz%4 HTTP/1.1\r\n\
                X-Prometheus-Scrape-Timeout-Seconds: 2.5\r\norigin: http://elsewhere\r\n\r\n";
    let head = parse_text(text).unwrap().unwrap();
    let query: Vec<(&str, &str)> = head.query.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(query, [("target", "a&b"), ("auth", "x y"), ("empty", ""), ("bad", "%zz%4")]);
    assert_eq!((&*head.method, &*head.path, head.has_origin), ("GET", "/snmp", true));
    assert_eq!(head.scrape_timeout, Some(Duration::from_millis(2500)));
}

#[test]
fn incomplete_http_head_waits_for_more_bytes() {
    for text in ["", "GET", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: x\r\n"] {
        assert!(parse(text.as_bytes()).is_none(), "{text}");
    }
}

#[test]
fn malformed_http_request_or_too_many_headers_are_rejected() {
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(65));
    assert!(many.len() < MAX_HEAD_LEN);
    assert_eq!(parse_text(&many), Some(Err(431)));
    assert_eq!(parse_text("\0\0\0\0\r\n\r\n"), Some(Err(400)));
    assert_eq!(parse_text("GET / HTTP/9.9\r\n\r\n"), Some(Err(400)));
}

#[test]
fn invalid_scrape_timeout_is_ignored() {
    for seconds in ["-1", "inf", "NaN", "1e300", "soon"] {
        let text = format!("GET / HTTP/1.1\r\nX-Prometheus-Scrape-Timeout-Seconds: {seconds}\r\n\r\n");
        assert_eq!(parse_text(&text).unwrap().unwrap().scrape_timeout, None, "{seconds}");
    }
}
