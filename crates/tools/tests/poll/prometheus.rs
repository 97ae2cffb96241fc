//! The HTTP endpoint of the program, with agents simulated from a recording.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream, UdpSocket},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use portreeve_simulate::{arguments, serve::serve};

use crate::exposition;

/// A poller process, killed on drop.
struct Poller {
    child: Child,
    http: SocketAddr,
    file: PathBuf,
}

impl Poller {
    /// Starts a poller with `text` as its configuration file.
    fn start(test: &str, text: &str) -> Self {
        let http = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("prometheus-{test}.toml"));
        let text = format!("[prometheus]\nlisten = \"{http}\"\n{text}");
        fs::write(&file, &text).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_portreeve-tools"))
            .arg("poll")
            .arg("--no-output")
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while TcpStream::connect(http).is_err() {
            assert!(started.elapsed() < Duration::from_secs(10), "the poller does not listen");
            thread::sleep(Duration::from_millis(10));
        }
        Self { child, http, file }
    }

    /// Sends a request; returns the status, the head and the content of the response.
    fn request(&self, method: &str, path: &str, headers: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.http).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\n").unwrap();
        if !headers.starts_with("Host:") {
            write!(stream, "Host: {}\r\n", self.http).unwrap();
        }
        write!(stream, "{headers}\r\n").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        let (head, content) = response.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), head.to_owned(), content.to_owned())
    }

    fn get(&self, path: &str) -> (u16, String) {
        let (status, _, content) = self.request("GET", path, "");
        (status, content)
    }

    /// Returns the content of `/metrics` as soon as it contains `wanted`.
    fn metrics(&self, wanted: &str) -> String {
        let started = Instant::now();
        loop {
            let (_, text) = self.get("/metrics");
            if text.contains(wanted) {
                return text;
            }
            assert!(started.elapsed() < Duration::from_secs(10), "{wanted} is not in\n{text}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Poller {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Starts an agent that simulates [`RECORDING`].
fn agent(test: &str) -> SocketAddr {
    let address = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("prometheus-{test}.walk"));
    fs::write(&file, RECORDING).unwrap();
    let line = ["--listen".into(), format!("udp:{address}").into(), file.into_os_string()];
    let Ok(arguments::Command::Serve(plan)) = arguments::parse(line) else { unreachable!() };
    thread::spawn(move || serve(&plan));
    address
}

fn plan(agent: SocketAddr) -> String {
    format!(
        "[poll]\ninterval = 1\ntimeout-ms = 500\n[credentials.readers]\nversion = \"2c\"\ncommunity = \"public\"\n\
         [objects.interfaces]\nget = \"sysUpTime.0\"\nwalk = [\"ifTable\", \"ifXTable\"]\nlabels = \"ifName\"\n\
         [targets.core]\naddress = \"{agent}\"\ncredentials = \"readers\"\nobjects = \"interfaces\"\n"
    )
}

#[test]
fn snmp_page_has_the_format_of_snmp_exporter() {
    let agent = agent("snmp");
    let poller = Poller::start("snmp", &plan(agent));
    for query in ["target=core&module=interfaces", &format!("target={agent}&auth=readers&module=interfaces")]
    {
        let (status, head, text) = poller.request("GET", &format!("/snmp?{query}"), "");
        assert_eq!(status, 200, "{text}");
        assert!(head.contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"), "{head}");
        exposition::check(&text);
        for line in [
            "# TYPE ifHCInOctets counter",
            "ifHCInOctets{ifIndex=\"1\",ifName=\"lo\"} 1000",
            "ifHCInOctets{ifIndex=\"2\",ifName=\"eth0\"} 5000000000",
            "ifDescr{ifIndex=\"2\",ifName=\"eth0\",ifDescr=\"first \\\"port\\\"\"} 1",
            "ifType_info{ifIndex=\"2\",ifName=\"eth0\",ifType=\"ethernetCsmacd\"} 1",
            "sysUpTime 4200",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        assert!(text.contains("\nsnmp_scrape_duration_seconds{module=\"interfaces\"} 0."), "{text}");
        assert!(text.contains("\nsnmp_scrape_walk_duration_seconds{module=\"interfaces\"} 0."), "{text}");
        assert!(text.contains("\nsnmp_scrape_pdus_returned{module=\"interfaces\"} "), "{text}");
    }
}

#[test]
fn review_l10_requests_with_unknown_host_header_are_refused() {
    let poller = Poller::start("hosts", &format!("hosts = [\"poller.example\"]\n{}", plan(agent("hosts"))));
    for (path, method) in
        [("/metrics", "GET"), ("/snmp?target=core", "GET"), ("/-/reload", "POST"), ("/", "GET")]
    {
        let (status, _, text) = poller.request(method, path, "Host: attacker.example:9116\r\n");
        assert_eq!(status, 403, "{path}: {text}");
        assert!(text.contains("`hosts` in [prometheus]"), "{text}");
    }
    for host in ["poller.example:9116", "localhost", "127.0.0.1"] {
        assert_eq!(poller.request("GET", "/metrics", &format!("Host: {host}\r\n")).0, 200, "{host}");
    }
    assert_eq!(poller.request("GET", "/", "Host: localhost\r\nHost: attacker.example\r\n").0, 400);
}

#[test]
fn invalid_or_forbidden_http_request_is_rejected_with_reason() {
    let agent = agent("refused");
    let poller = Poller::start("refused", &plan(agent));
    for (query, status, words) in [
        ("", 400, "`target` is missing"),
        ("?target=core&module=nothing", 400, "unknown module: no section [objects.nothing]"),
        ("?target=core&auth=unknown", 400, "unknown auth: no section [credentials.unknown]"),
        ("?target=127.0.0.1:9&auth=readers", 403, "auth readers is not allowed for this target"),
    ] {
        let (found, text) = poller.get(&format!("/snmp{query}"));
        assert_eq!(found, status, "{query}: {text}");
        assert!(text.contains(words), "{query}: {text}");
    }
    assert_eq!(poller.request("POST", "/snmp?target=core", "").0, 405);
    assert_eq!(poller.get("/nothing").0, 404);
    assert_eq!(poller.get("/-/healthy"), (200, "healthy\n".to_owned()));
}

#[test]
fn metrics_page_contains_last_results_and_marks_silent_targets() {
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let text = plan(agent("metrics"));
    let address = silent.local_addr().unwrap();
    let other = "credentials = \"readers\"\nobjects = \"interfaces\"\n";
    let poller = Poller::start(
        "metrics",
        &format!(
            "{text}[targets.edge]\naddress = \"{address}\"\n{other}[targets.lost]\naddress = \"no.such.host.invalid\"\n{other}"
        ),
    );
    // The silent target is polled first, and its request times out after all others have ended.
    poller.metrics("portreeve_poll_failures_total{target=\"edge\"} 1");
    let text = poller.metrics("ifHCInOctets{target=\"core\",ifIndex=\"2\",ifName=\"eth0\"} 5000000000");
    exposition::check(&text);
    for line in [
        "portreeve_poll_up{target=\"core\"} 1",
        "portreeve_poll_up{target=\"edge\"} 0",
        "portreeve_poll_targets 3",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let (status, text) = poller.get("/snmp?target=edge");
    assert_eq!(status, 500);
    assert!(text.contains("no response arrived in time"), "{text}");
}

#[test]
fn http_reload_applies_valid_file_and_is_refused_with_origin_header() {
    let mut poller = Poller::start("reload", &plan(agent("reload")));
    let text = fs::read_to_string(&poller.file).unwrap();
    fs::write(&poller.file, text.replace("targets.core", "targets.renamed")).unwrap();
    assert_eq!(poller.request("POST", "/-/reload", "Origin: http://elsewhere\r\n").0, 403);
    assert_eq!(poller.get("/-/reload").0, 405);
    assert_eq!(poller.request("POST", "/-/reload", "").0, 200);
    poller.metrics("portreeve_poll_up{target=\"renamed\"} 1");
    fs::write(&poller.file, text.replace("interval = 1", "interval = 0")).unwrap();
    let (status, _, errors) = poller.request("PUT", "/-/reload", "");
    assert_eq!(status, 500);
    assert!(errors.contains("prometheus-reload.toml:4: error: interval = 0 is out of range"), "{errors}");
    let text = poller.metrics("portreeve_poll_config_last_reload_successful 0");
    assert!(text.contains("portreeve_poll_up{target=\"renamed\"} 1"), "{text}");
    let mut messages = String::new();
    let mut stderr = BufReader::new(poller.child.stderr.take().unwrap());
    while !messages.contains("not applied") {
        assert_ne!(stderr.read_line(&mut messages).unwrap(), 0, "{messages}");
    }
}

#[test]
fn hostile_http_clients_do_not_stop_polling() {
    let poller = Poller::start("hostile", &plan(agent("hostile")));
    let mut slow: Vec<TcpStream> = (0..64).map(|_| TcpStream::connect(poller.http).unwrap()).collect();
    slow.iter_mut().for_each(|stream| stream.write_all(b"GET /metrics HT").unwrap());
    let responses = |text: &str| -> u64 {
        let line = text.lines().find(|line| line.starts_with("portreeve_poll_responses_total")).unwrap();
        line.rsplit_once(' ').unwrap().1.parse().unwrap()
    };
    let before = responses(&poller.metrics("portreeve_poll_responses_total"));
    thread::sleep(Duration::from_millis(1500));
    assert!(responses(&poller.metrics("portreeve_poll_responses_total")) > before);
    assert_eq!(poller.request("GET", "/", &format!("X: {}\r\n", "x".repeat(9000))).0, 431);
    assert_eq!(poller.request("G\0T", "/", "").0, 400);
    // Each slow client is disconnected after five seconds, even if it keeps sending.
    let started = Instant::now();
    for mut stream in slow {
        let mut left = Vec::new();
        let _ = stream.read_to_end(&mut left);
    }
    assert!(started.elapsed() < Duration::from_secs(8));
    // At the limit, new clients get an error response and existing ones are still served.
    let mut many: Vec<TcpStream> = (0..200).map(|_| TcpStream::connect(poller.http).unwrap()).collect();
    assert_eq!(status(many.last_mut().unwrap()), "HTTP/1.1 503");
    let first = many.first_mut().unwrap();
    first.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    assert_eq!(status(first), "HTTP/1.1 200");
}

fn status(stream: &mut TcpStream) -> String {
    let mut line = [0; 12];
    stream.read_exact(&mut line).unwrap();
    String::from_utf8(line.to_vec()).unwrap()
}

const RECORDING: &str = r#".1.3.6.1.2.1.1.3.0 = Timeticks: (4200) 0:00:42.00
.1.3.6.1.2.1.2.2.1.1.1 = INTEGER: 1
.1.3.6.1.2.1.2.2.1.1.2 = INTEGER: 2
.1.3.6.1.2.1.2.2.1.2.1 = STRING: "lo"
.1.3.6.1.2.1.2.2.1.2.2 = STRING: "first \"port\""
.1.3.6.1.2.1.2.2.1.3.1 = INTEGER: 24
.1.3.6.1.2.1.2.2.1.3.2 = INTEGER: 6
.1.3.6.1.2.1.2.2.1.6.1 = ""
.1.3.6.1.2.1.2.2.1.6.2 = Hex-STRING: 00 AB 01 02 03 04
.1.3.6.1.2.1.2.2.1.8.1 = INTEGER: 1
.1.3.6.1.2.1.2.2.1.8.2 = INTEGER: 2
.1.3.6.1.2.1.31.1.1.1.1.1 = STRING: "lo"
.1.3.6.1.2.1.31.1.1.1.1.2 = STRING: "eth0"
.1.3.6.1.2.1.31.1.1.1.6.1 = Counter64: 1000
.1.3.6.1.2.1.31.1.1.1.6.2 = Counter64: 5000000000
"#;
