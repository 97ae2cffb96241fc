//! One HTTP request and response per connection (RFC 9112), with limits on all client input.

use std::{
    io::{self, ErrorKind, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

/// The head of an HTTP request. Its content is untrusted.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RequestHead {
    pub(super) method: String,
    pub(super) path: String,
    /// Names and values of the query string, decoded.
    pub(super) query: Vec<(String, String)>,
    /// The value of the `Host` header. It is `None` if the header is missing, as from HTTP/1.0
    /// clients, but never from a browser.
    pub(super) host: Option<String>,
    /// True if the request contains an `Origin` header: a web page of another site may have caused
    /// the request.
    pub(super) has_origin: bool,
    /// The scrape timeout that Prometheus sends in a header.
    pub(super) scrape_timeout: Option<Duration>,
}

/// An HTTP response.
pub(super) struct HttpResponse {
    pub(super) status: u16,
    pub(super) content: String,
    /// True for the text exposition format, false for plain text.
    pub(super) is_exposition: bool,
}

impl HttpResponse {
    pub(super) fn text(status: u16, text: impl Into<String>) -> Self {
        let mut content = text.into();
        content.push('\n');
        Self { status, content, is_exposition: false }
    }

    pub(super) fn exposition(content: String) -> Self {
        Self { status: 200, content, is_exposition: true }
    }

    /// Writes the response, without the content for a HEAD request.
    ///
    /// # Errors
    /// The client has closed the connection or does not read fast enough.
    pub(super) fn write(&self, stream: &mut TcpStream, only_head: bool) -> io::Result<()> {
        let kind = if self.is_exposition { EXPOSITION } else { "text/plain; charset=utf-8" };
        let mut octets = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nX-Content-Type-Options: nosniff\r\n\
             Cache-Control: no-store\r\nConnection: close\r\n{}\r\n",
            self.status,
            reason_phrase(self.status),
            self.content.len(),
            if self.status == 405 { "Allow: GET, HEAD, POST, PUT\r\n" } else { "" },
        );
        if !only_head {
            octets.push_str(&self.content);
        }
        let (mut rest, deadline) = (octets.as_bytes(), Instant::now() + WRITE_TIMEOUT);
        while !rest.is_empty() {
            stream.set_write_timeout(Some(remaining(deadline)?))?;
            match stream.write(rest) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Reads the head of a request; an invalid or oversized one gives an error response. A body is not
/// read.
///
/// # Errors
/// The client has closed the connection or does not send fast enough.
pub(super) fn read(stream: &mut TcpStream) -> io::Result<Result<RequestHead, HttpResponse>> {
    let (mut octets, mut length) = ([0; MAX_HEAD_LEN], 0);
    let deadline = Instant::now() + READ_TIMEOUT;
    loop {
        let Some(room) = octets.get_mut(length..).filter(|room| !room.is_empty()) else {
            return Ok(Err(HttpResponse::text(431, "the request head is too long")));
        };
        stream.set_read_timeout(Some(remaining(deadline)?))?;
        match stream.read(room) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => length += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        }
        if let Some(head) = parse(octets.get(..length).unwrap_or_default()) {
            return Ok(head);
        }
    }
}

/// Discards input for a short time, until the client closes the connection.
pub(super) fn drain(stream: &mut TcpStream) -> io::Result<()> {
    let (mut octets, deadline) = ([0; MAX_HEAD_LEN], Instant::now() + CLOSE_TIMEOUT);
    loop {
        stream.set_read_timeout(Some(remaining(deadline)?))?;
        if stream.read(&mut octets)? == 0 {
            return Ok(());
        }
    }
}

/// Parses a request head; `None` if it is incomplete.
pub(super) fn parse(octets: &[u8]) -> Option<Result<RequestHead, HttpResponse>> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(octets) {
        Ok(httparse::Status::Partial) => return None,
        Ok(httparse::Status::Complete(_)) => {}
        Err(httparse::Error::TooManyHeaders) => {
            return Some(Err(HttpResponse::text(431, "the request has too many headers")));
        }
        Err(_) => return Some(Err(HttpResponse::text(400, "not an HTTP request"))),
    }
    let header = |name: &str| {
        let mut all = request.headers.iter();
        all.find(|header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value)
    };
    if request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("Host")).count() > 1 {
        return Some(Err(HttpResponse::text(400, "more than one Host header")));
    }
    let (path, query) = request.path?.split_once('?').unwrap_or((request.path?, ""));
    let scrape_timeout = header("X-Prometheus-Scrape-Timeout-Seconds").and_then(|value| {
        let seconds: f64 = std::str::from_utf8(value).ok()?.parse().ok()?;
        Duration::try_from_secs_f64(seconds).ok()
    });
    Some(Ok(RequestHead {
        method: request.method?.to_owned(),
        path: path.to_owned(),
        query: query.split('&').filter(|pair| !pair.is_empty()).map(parse_pair).collect(),
        host: header("Host").map(|value| String::from_utf8_lossy(value).into_owned()),
        has_origin: header("Origin").is_some(),
        scrape_timeout,
    }))
}

fn parse_pair(text: &str) -> (String, String) {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    (decode(name), decode(value))
}

/// Decodes percent-encoding; invalid UTF-8 is replaced.
fn decode(text: &str) -> String {
    let mut octets = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        let digits = others.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let octet = digits
            .filter(|_| *first == b'%')
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match octet {
            Some(octet) => {
                octets.push(octet);
                rest = others.get(2..).unwrap_or_default();
            }
            None => {
                octets.push(if *first == b'+' { b' ' } else { *first });
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&octets).into_owned()
}

fn remaining(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
}

fn reason_phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

const EXPOSITION: &str = "text/plain; version=0.0.4; charset=utf-8";
const MAX_HEAD_LEN: usize = 8192;
const MAX_HEADERS: usize = 64;
/// The time limit for a client to send the request head.
const READ_TIMEOUT: Duration = Duration::from_secs(5);
/// The time limit for a client to read the response.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// The time limit for a client to close the connection.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests;
