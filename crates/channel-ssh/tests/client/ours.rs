//! Our client and our server.

use std::{
    net::{IpAddr, SocketAddr},
    rc::Rc,
    sync::Arc,
    thread,
};

use portreeve_channel::{
    Applicant, Choice, Cipher, Denial, JudgeQuestion, KeyExchange, PasswordJudge, PeerIdentity,
    SshAlgorithms, Step,
};
use portreeve_channel_ssh::{
    Traffic,
    client::{ClientSettings, Nobody},
    server::{
        Authentication, ChannelNumber, Host, HostKeys, KeyFiles, Onward, Output, Remote, Settings, SshServer,
    },
};
use tokio::{net::TcpListener, runtime::Builder, task::LocalSet};

use crate::{
    answers::Answers,
    sshd::{Home, echo, try_connect},
    traffic::{Counted, Tally},
};

//= rfc5592#5.3-4
//= type=test
#[test]
fn a_listed_key_opens_the_subsystem_by_either_key_exchange() {
    let Some(home) = Home::new() else { return };
    let address = server(&home, None, None);
    let mut settings = known(&home, address);
    for key_exchange in [KeyExchange::MlKem768X25519, KeyExchange::Curve25519, KeyExchange::Curve25519Libssh]
    {
        settings.key_exchanges = Choice::of([key_exchange]);
        echo(address.port(), &settings, &Nobody).unwrap();
    }
}

#[test]
fn only_what_a_listener_and_ssh_config_both_let_is_agreed_on() {
    let Some(home) = Home::new() else { return };
    let narrow = SshAlgorithms {
        key_exchanges: Choice::of([KeyExchange::MlKem768X25519]),
        ciphers: Choice::of([Cipher::Aes128Gcm, Cipher::ChaCha20Poly1305]),
    };
    let address = serving(&home, Authentication::default(), Traffic::default(), narrow, Arc::default());
    known(&home, address);
    for config in ["", "Ciphers aes256-ctr,chacha20-poly1305@openssh.com", "KexAlgorithms -curve25519*"] {
        echo(address.port(), &home.settings(config), &Nobody).unwrap();
    }
    for (config, what) in [
        ("KexAlgorithms curve25519-sha256,sntrup761x25519-sha512", "no key exchange that both ends know"),
        ("Ciphers aes256-gcm@openssh.com", "no cipher that both ends know"),
    ] {
        let error = try_connect(address.port(), &home.settings(config), &Nobody).err().unwrap();
        assert_eq!(error.step, Step::Negotiate);
        assert!(error.cause.starts_with(what), "{error}");
    }
}

#[test]
fn without_a_key_that_is_listed_somebody_is_asked_for_the_password() {
    let Some(home) = Home::new() else { return };
    let judge = || Some(Arc::new(OneWord) as Arc<dyn PasswordJudge>);
    for (password, questions, kind) in [(judge(), None, "Password"), (None, judge(), "Prompt")] {
        let address = server(&home, password, questions);
        home.write("listed", "");
        let settings = known(&home, address);
        let helper = Answers::new(&["guess", "open"]);
        echo(address.port(), &settings, &helper).unwrap_or_else(|error| panic!("{kind}: {error}"));
        let asked = helper.asked.lock().unwrap();
        assert!(asked.len() == 2 && asked.iter().all(|question| question.starts_with(kind)), "{asked:?}");
        let error = try_connect(address.port(), &settings, &Nobody).err().unwrap();
        assert_eq!(error.step, Step::ClientIdentity);
        assert!(error.cause.contains("nobody"), "{error}");
    }
}

/// A server that lets in whom the file `listed` lists, and sends back what comes.
pub(crate) fn server(
    home: &Home,
    password: Option<Arc<dyn PasswordJudge>>,
    questions: Option<Arc<dyn PasswordJudge>>,
) -> SocketAddr {
    let authentication =
        Authentication { password, keyboard_interactive: questions, ..Authentication::default() };
    serving(home, authentication, Traffic::default(), SshAlgorithms::default(), Arc::default())
}

/// The same, with traffic that is set and counted, and algorithms that are chosen.
pub(crate) fn serving(
    home: &Home,
    mut authentication: Authentication,
    traffic: Traffic,
    algorithms: SshAlgorithms,
    tally: Arc<Tally>,
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
        let server = SshServer::new(Settings::new(host_keys, authentication));
        listener.set_nonblocking(true).unwrap();
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        LocalSet::new().block_on(&runtime, async {
            let server = Rc::new(server);
            let listener = TcpListener::from_std(listener).unwrap();
            loop {
                let (stream, peer) = listener.accept().await.unwrap();
                stream.set_nodelay(true).unwrap();
                let server = Rc::clone(&server);
                let stream = Counted { stream, tally: Arc::clone(&tally) };
                tokio::task::spawn_local(async move {
                    server.serve(stream, peer, traffic, algorithms, Rc::new(Echo)).await
                });
            }
        });
    });
    address
}

pub(crate) fn known(home: &Home, address: SocketAddr) -> ClientSettings {
    home.write(
        ".ssh/known_hosts",
        &format!("[{}]:{} {}\n", address.ip(), address.port(), home.public("host")),
    );
    home.settings("")
}

/// Takes one password.
#[derive(Debug)]
struct OneWord;

impl PasswordJudge for OneWord {
    fn judge(&self, _: &str, _: IpAddr, applicant: &mut dyn Applicant) -> Result<(), Denial> {
        let question = JudgeQuestion { prompt: "Password: ".into(), echo: false };
        let answers = applicant.ask(vec![question]).unwrap_or_default();
        let [password] = answers.as_slice() else { return Err(Denial::NotProven) };
        if password.expose() == b"open" { Ok(()) } else { Err(Denial::NotProven) }
    }
}

struct Echo;

impl Host for Echo {
    fn connected(&self, _: Remote) {}

    fn authenticated(&self, _: &PeerIdentity) -> bool {
        true
    }

    fn open(&self, _: ChannelNumber, subsystem: &str) -> bool {
        subsystem == "snmp"
    }

    fn receive(&self, output: &mut Output<'_>, octets: &[u8]) -> Onward {
        output.try_write(octets).map_or(Onward::Disconnect, |_| Onward::Open)
    }

    fn writable(&self, _: &mut Output<'_>) -> Onward {
        Onward::Open
    }

    fn ended(&self, _: &mut Output<'_>) -> Onward {
        Onward::CloseChannel
    }

    fn closed(&self, _: ChannelNumber) {}

    fn is_congested(&self, _: ChannelNumber) -> bool {
        false
    }
}
