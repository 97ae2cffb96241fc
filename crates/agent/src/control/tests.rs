use std::{
    fs,
    io::{Read, Write},
    net::Shutdown,
    os::unix::{
        fs::{FileTypeExt, PermissionsExt},
        net::{UnixListener, UnixStream},
    },
    path::Path,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use tempfile::TempDir;
use tokio::sync::oneshot;

use super::{
    Answer, ControlServer, Request, RequestError, RequestHandler, Response, StatusFormat, send, socket_path,
};

#[test]
fn request_is_answered_by_the_server() {
    let server = TestServer::start(tempfile::tempdir().unwrap());
    for n in 0..3 {
        let file = format!("/etc/{n}.toml");
        assert_eq!(server.reload(&file), Response::Refused { reason: file });
    }
}

#[test]
fn socket_is_private_and_removed_when_the_server_stops() {
    let server = TestServer::start(tempfile::tempdir().unwrap());
    let metadata = fs::symlink_metadata(server.socket()).unwrap();
    assert!(metadata.file_type().is_socket());
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    let directory = server.stop();
    assert!(!socket_path(directory.path()).exists());
    let error = send(directory.path(), &request("/a"), TIMEOUT).unwrap_err();
    assert!(matches!(error, RequestError::NotListening(_)), "{error:?}");
}

#[test]
fn default_socket_is_in_the_default_state_directory() {
    let state_dir = portreeve_config::Agent::default().state_dir;
    assert_eq!(socket_path(&state_dir), Path::new(portreeve_control_protocol::DEFAULT_SOCKET));
}

#[test]
fn socket_is_removed_after_it_is_closed() {
    let directory = tempfile::tempdir().unwrap();
    let runtime = runtime();
    let in_runtime = runtime.enter();
    let server = ControlServer::listen(directory.path(), Arc::new(RefuseReloads::default())).unwrap();
    drop(in_runtime);
    let file = server.close();
    assert!(socket_path(directory.path()).exists());
    let error = send(directory.path(), &request("/a"), TIMEOUT).unwrap_err();
    assert!(matches!(error, RequestError::NotListening(_)), "{error:?}");
    drop(file);
    assert!(!socket_path(directory.path()).exists());
}

#[test]
fn server_replaces_a_stale_socket_but_no_other_file() {
    let directory = tempfile::tempdir().unwrap();
    drop(UnixListener::bind(socket_path(directory.path())).unwrap());
    let error = send(directory.path(), &request("/a"), TIMEOUT).unwrap_err();
    assert!(matches!(error, RequestError::NotListening(_)), "{error:?}");
    let server = TestServer::start(directory);
    assert_eq!(server.reload("/a"), Response::Refused { reason: "/a".into() });
    let directory = server.stop();
    fs::write(socket_path(directory.path()), "important").unwrap();
    let runtime = runtime();
    let _in_runtime = runtime.enter();
    let handler = Arc::new(RefuseReloads::default());
    let error = ControlServer::listen(directory.path(), handler).err().unwrap();
    assert_eq!(error.to_string(), "the file exists and is not a socket");
    assert_eq!(fs::read(socket_path(directory.path())).unwrap(), b"important");
}

#[test]
fn server_can_be_reached_below_a_long_path() {
    let parent = tempfile::tempdir().unwrap();
    let long = parent.path().join("x".repeat(120));
    fs::create_dir(&long).unwrap();
    let server = TestServer::start(TempDir::new_in(long).unwrap());
    assert_eq!(server.reload("/a"), Response::Refused { reason: "/a".into() });
}

#[test]
fn malformed_unknown_and_long_requests_do_not_affect_others() {
    let server = TestServer::start(tempfile::tempdir().unwrap());
    let unknown = b"unknown-request\0".to_vec();
    for (octets, response) in [
        (b"stop\0".to_vec(), unknown.clone()),
        (b"GET / HTTP/1.1\r\n\r\n".to_vec(), unknown.clone()),
        (b"reload\0".to_vec(), unknown),
        (vec![b'a'; Request::MAX_LEN + 1], Vec::new()),
    ] {
        assert_eq!(server.exchange(&octets), response, "{octets:?}");
    }
    let silent: Vec<_> = (0..3).map(|_| UnixStream::connect(server.socket()).unwrap()).collect();
    assert_eq!(server.reload("/a"), Response::Refused { reason: "/a".into() });
    drop(silent);
}

#[test]
fn request_times_out_when_the_agent_does_not_answer() {
    let directory = tempfile::tempdir().unwrap();
    let _listener = UnixListener::bind(socket_path(directory.path())).unwrap();
    let error = send(directory.path(), &request("/a"), Duration::from_millis(50)).unwrap_err();
    assert!(matches!(error, RequestError::TimedOut { process: Some(_), .. }), "{error:?}");
}

#[test]
fn connection_closed_without_response_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let listener = UnixListener::bind(socket_path(directory.path())).unwrap();
    let closing = thread::spawn(move || drop(listener.accept().unwrap()));
    let error = send(directory.path(), &request("/a"), TIMEOUT).unwrap_err();
    assert!(matches!(error, RequestError::Closed), "{error:?}");
    closing.join().unwrap();
}

#[test]
fn connection_waits_while_the_server_has_too_many() {
    let server = TestServer::start(tempfile::tempdir().unwrap());
    // The server closes each of them when it has waited two seconds for a request.
    let silent: Vec<_> = (0..100).map(|_| UnixStream::connect(server.socket()).unwrap()).collect();
    assert_eq!(server.reload("/a"), Response::Refused { reason: "/a".into() });
    drop(silent);
}

#[test]
fn request_that_waits_does_not_delay_another() {
    let server = TestServer::start(tempfile::tempdir().unwrap());
    let mut waiting = UnixStream::connect(server.socket()).unwrap();
    waiting.set_read_timeout(Some(TIMEOUT)).unwrap();
    waiting.write_all(b"reload\0file=").unwrap();
    waiting.write_all(UNANSWERED.as_bytes()).unwrap();
    waiting.write_all(b"\0").unwrap();
    waiting.shutdown(Shutdown::Write).unwrap();
    for format in [StatusFormat::Text, StatusFormat::Json] {
        let status = send(server.directory.path(), &Request::Status { format }, TIMEOUT).unwrap();
        assert_eq!(status, Response::Status { text: format!("{format:?}") });
    }
    assert_eq!(server.reload("/a"), Response::Refused { reason: "/a".into() });
    server.stop();
}

/// Refuses each reload, with the file as the reason, except that it never answers a reload of the
/// file [`UNANSWERED`].
#[derive(Default)]
struct RefuseReloads {
    unanswered: Mutex<Vec<Answer>>,
}

impl RequestHandler for RefuseReloads {
    fn handle(&self, request: Request, answer: Answer) {
        match request {
            Request::Reload { file } if file == Path::new(UNANSWERED) => {
                self.unanswered.lock().unwrap().push(answer);
            }
            Request::Reload { file } => answer.send(Response::Refused { reason: file.display().to_string() }),
            Request::Status { format } => answer.send(Response::Status { text: format!("{format:?}") }),
            Request::KillSession { .. } => answer.send(Response::Killed),
            Request::Notify(_) => answer.send(Response::Busy),
        }
    }
}

/// A server with [`RefuseReloads`].
struct TestServer {
    directory: TempDir,
    stop: oneshot::Sender<()>,
    thread: thread::JoinHandle<()>,
}

impl TestServer {
    fn start(directory: TempDir) -> Self {
        let (stop, stopped) = oneshot::channel();
        let runtime = runtime();
        let in_runtime = runtime.enter();
        let control = ControlServer::listen(directory.path(), Arc::new(RefuseReloads::default())).unwrap();
        drop(in_runtime);
        let serve = async move {
            tokio::select! {
                never = control.serve() => match never {},
                _ = stopped => {}
            }
        };
        let thread = thread::spawn(move || runtime.block_on(serve));
        Self { directory, stop, thread }
    }

    fn socket(&self) -> std::path::PathBuf {
        socket_path(self.directory.path())
    }

    fn reload(&self, file: &str) -> Response {
        send(self.directory.path(), &request(file), TIMEOUT).unwrap()
    }

    /// Sends octets, and returns the response until the end of the stream.
    fn exchange(&self, octets: &[u8]) -> Vec<u8> {
        let mut stream = UnixStream::connect(self.socket()).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        // The server may close the connection before it has read all octets.
        let _ = stream.write_all(octets);
        let _ = stream.shutdown(Shutdown::Write);
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        response
    }

    fn stop(self) -> TempDir {
        self.stop.send(()).unwrap();
        self.thread.join().unwrap();
        self.directory
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap()
}

fn request(file: &str) -> Request {
    Request::Reload { file: Path::new(file).into() }
}

/// Longer than any exchange takes, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);
/// A file whose reload is never answered.
const UNANSWERED: &str = "/unanswered";
