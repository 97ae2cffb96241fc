//! Our client against our server.

use std::{
    future::poll_fn,
    io::ErrorKind,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    thread,
};

use portreeve_channel::{
    AlgorithmList, ChannelStep, Cipher, KeyExchange, LoginDialog, LoginError, LoginPrompt, PasswordVerifier,
    SshAlgorithms,
};
use portreeve_channel_ssh::{
    TrafficSettings,
    client::{ClientSettings, NoPrompter},
    server::{
        Authentication, ConnectionOptions, Direction, HostKeys, KeyFiles, ServerChannel, ServerSettings,
        SshConnection, SshEvent, SshServer,
    },
};
use tokio::{
    net::TcpListener,
    runtime::Builder,
    task::{JoinSet, LocalSet},
};

use crate::{
    scripted_prompter::ScriptedPrompter,
    sshd::{TestHome, exchange, try_connect},
    traffic::{CountingStream, StreamCounters},
};

//= rfc5592#5.3-4
//= type=test
#[test]
fn listed_key_opens_the_subsystem_with_each_key_exchange_algorithm() {
    let Some(home) = TestHome::new() else { return };
    let address = serve(&home, None, None);
    let mut settings = known_settings(&home, address);
    for key_exchange in [KeyExchange::MlKem768X25519, KeyExchange::Curve25519, KeyExchange::Curve25519Libssh]
    {
        settings.key_exchanges = AlgorithmList::of([key_exchange]);
        exchange(address.port(), &settings, &NoPrompter).unwrap();
    }
}

#[test]
fn only_algorithms_allowed_by_both_peers_are_negotiated() {
    let Some(home) = TestHome::new() else { return };
    let narrow = SshAlgorithms {
        key_exchanges: AlgorithmList::of([KeyExchange::MlKem768X25519]),
        ciphers: AlgorithmList::of([Cipher::Aes128Gcm, Cipher::ChaCha20Poly1305]),
    };
    let address =
        serve_with(&home, Authentication::default(), TrafficSettings::default(), narrow, Arc::default());
    known_settings(&home, address);
    for config in ["", "Ciphers aes256-ctr,chacha20-poly1305@openssh.com", "KexAlgorithms -curve25519*"] {
        exchange(address.port(), &home.settings(config), &NoPrompter).unwrap();
    }
    for (config, what) in [
        (
            "KexAlgorithms curve25519-sha256,sntrup761x25519-sha512",
            "client and server have no key exchange method in common",
        ),
        ("Ciphers aes256-gcm@openssh.com", "client and server have no cipher in common"),
    ] {
        let error = try_connect(address.port(), &home.settings(config), &NoPrompter).err().unwrap();
        assert_eq!(error.step, ChannelStep::Negotiate);
        assert!(error.cause.starts_with(what), "{error}");
    }
}

#[test]
fn user_is_prompted_for_a_password_when_the_key_is_not_listed() {
    let Some(home) = TestHome::new() else { return };
    let verifier = || Some(Arc::new(SinglePassword) as Arc<dyn PasswordVerifier>);
    for (password, questions, kind) in [(verifier(), None, "Password"), (None, verifier(), "Prompt")] {
        let address = serve(&home, password, questions);
        home.write("listed", "");
        let settings = known_settings(&home, address);
        let prompter = ScriptedPrompter::new(&["guess", "open"]);
        exchange(address.port(), &settings, &prompter).unwrap_or_else(|error| panic!("{kind}: {error}"));
        let asked = prompter.asked.lock().unwrap();
        assert!(asked.len() == 2 && asked.iter().all(|question| question.starts_with(kind)), "{asked:?}");
        let error = try_connect(address.port(), &settings, &NoPrompter).err().unwrap();
        assert_eq!(error.step, ChannelStep::ClientIdentity);
        assert!(error.cause.contains("none were given"), "{error}");
    }
}

/// Starts a server that accepts the user's key and echoes all data.
pub(crate) fn serve(
    home: &TestHome,
    password: Option<Arc<dyn PasswordVerifier>>,
    questions: Option<Arc<dyn PasswordVerifier>>,
) -> SocketAddr {
    let authentication =
        Authentication { password, keyboard_interactive: questions, ..Authentication::default() };
    serve_with(home, authentication, TrafficSettings::default(), SshAlgorithms::default(), Arc::default())
}

/// Does the same as [`serve`] with the given traffic settings and algorithms, and counts traffic.
pub(crate) fn serve_with(
    home: &TestHome,
    mut authentication: Authentication,
    traffic: TrafficSettings,
    algorithms: SshAlgorithms,
    counters: Arc<StreamCounters>,
) -> SocketAddr {
    if !home.path("host").exists() {
        home.keygen("host", &["-t", "ed25519", "-N", ""]);
    }
    home.write("listed", &home.text(".ssh/id_ed25519.pub"));
    authentication.key_files = KeyFiles::new([home.path("listed").display().to_string()]).unwrap();
    let host_keys = HostKeys::load(&[home.path("host")]).unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let server = SshServer::new(ServerSettings::new(host_keys, authentication));
        listener.set_nonblocking(true).unwrap();
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        LocalSet::new().block_on(&runtime, async {
            let listener = TcpListener::from_std(listener).unwrap();
            loop {
                let (stream, peer) = listener.accept().await.unwrap();
                stream.set_nodelay(true).unwrap();
                let stream = CountingStream { stream, counters: Arc::clone(&counters) };
                let options = ConnectionOptions {
                    traffic,
                    algorithms,
                    subsystems: ["snmp".into()].into(),
                    ..ConnectionOptions::new(peer)
                };
                tokio::task::spawn_local(echo(server.accept(stream, options)));
            }
        });
    });
    address
}

pub(crate) fn known_settings(home: &TestHome, address: SocketAddr) -> ClientSettings {
    home.write(
        ".ssh/known_hosts",
        &format!("[{}]:{} {}\n", address.ip(), address.port(), home.public("host")),
    );
    home.settings("")
}

/// Accepts one password and rejects all others.
#[derive(Debug)]
struct SinglePassword;

impl PasswordVerifier for SinglePassword {
    fn verify(&self, _: &str, _: IpAddr, applicant: &mut dyn LoginDialog) -> Result<(), LoginError> {
        let question = LoginPrompt { text: "Password: ".into(), echo: false };
        let answers = applicant.prompt(vec![question]).unwrap_or_default();
        let [password] = answers.as_slice() else { return Err(LoginError::BadCredentials) };
        if password.expose() == b"open" { Ok(()) } else { Err(LoginError::BadCredentials) }
    }
}

/// Serves a connection whose channels send all received data back.
async fn echo(mut connection: SshConnection) {
    let mut channels = JoinSet::new();
    loop {
        match poll_fn(|context| connection.poll_event(context)).await {
            SshEvent::LoggedIn(_) => {}
            SshEvent::Channel(channel) => drop(channels.spawn_local(echo_channel(channel))),
            SshEvent::Closed(_) => return,
        }
    }
}

async fn echo_channel(channel: ServerChannel) {
    let mut octets = [0; 4096];
    loop {
        channel.ready(Direction::Read).await;
        match channel.try_read(&mut octets) {
            Ok(0) => return channel.finish(0).await,
            Ok(count) => drop(channel.try_write(octets.get(..count).unwrap()).unwrap()),
            Err(error) if error.kind() == ErrorKind::WouldBlock => channel.ready(Direction::Write).await,
            Err(_) => return,
        }
    }
}
