//! A notification of the demo's agent over SSH, received by `portreeve-trapd`.
//!
//! As root, agent and receiver run in a network namespace, so that a link can go down without any
//! effect on this machine. Without root, the notification is that of the agent's start.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use portreeve_lab_net::{Cleaner, Pair};
use portreeve_sys::effective_uid;

use crate::agent::Demo;
use crate::error::{Context, Result};
use crate::ports::free_port;
use crate::process::{Server, output};

/// The files of a demo that is not running, and the addresses that it used.
pub(crate) struct StoppedDemo {
    directory: PathBuf,
    user: String,
    ssh_address: String,
}

impl StoppedDemo {
    /// Stops the demo.
    pub(crate) fn stop(demo: Demo, directory: &Path) -> Result<Self> {
        let user = demo.env("PORTREEVE_SSH_USER")?.to_owned();
        let ssh_address = demo.env("PORTREEVE_SSH")?.to_owned();
        demo.stop()?;
        Ok(Self { directory: directory.to_owned(), user, ssh_address })
    }
}

/// Starts the receiver, and the demo's agent again with the receiver as its target. Prints a
/// notification as the receiver has written it.
pub(crate) fn run(portreeved: &Path, trapd: &Path, demo: &StoppedDemo) -> Result<()> {
    let namespaces =
        match effective_uid() {
            0 => Cleaner::start_own().and_then(|cleaner| Pair::new(&cleaner)).map_err(|error| {
                format!("A linkDown is not shown, because a network namespace cannot be made: {error}")
            }),
            _ => Err("As root, the demo shows a linkDown instead: a link goes down in a network namespace."
                .to_owned()),
        };
    let port = free_port()?;
    demo.configure(port)?;
    let inside = |program: &Path| match &namespaces {
        Ok(pair) => pair.server().command(program),
        Err(_) => Command::new(program),
    };
    let file = |name: &str| demo.directory.join(name);
    let mut command = inside(trapd);
    let mut receiver =
        Server::start("portreeve-trapd", command.arg("--config").arg(file(RECEIVER)), &file(RECEIVER_LOG))?;
    demo.await_text(RECEIVER_LOG, "ready", &mut receiver)?;
    let mut command = inside(portreeved);
    command.args(["run", "--config"]).arg(file("portreeved.toml"));
    let started = Instant::now();
    let mut agent = Server::start_ready("portreeved", &mut command, &file("agent.log"))?;
    let address = format!("ssh://{}@127.0.0.1:{port}", demo.user);
    let (cause, wanted, changed) = match &namespaces {
        Ok(pair) => {
            demo.await_text(LINES, "coldStart", &mut agent)?;
            let changed = Instant::now();
            output(pair.server().command("ip").args(["link", "set", LINK, "down"]))?;
            (format!("ip link set {LINK} down, in a network namespace"), "linkDown", changed)
        }
        Err(_) => ("portreeved run".to_owned(), "coldStart", started),
    };
    let line = demo.await_text(LINES, wanted, &mut agent)?;
    let arrived = changed.elapsed();
    println!(
        "A notification over SSH, as portreeve-trapd at {address} has written it.\n\n   cause    {cause}"
    );
    for (number, variable) in line.split('\t').enumerate() {
        println!("   {}{variable}", if number == 0 { "written  " } else { "         " });
    }
    println!("\nThe line was on disk {:.1} ms after the start of this command.", arrived.as_secs_f64() * 1e3);
    if let Err(reason) = &namespaces {
        println!("{reason}");
    }
    println!();
    for server in [agent, receiver] {
        server.stop()?;
    }
    Ok(())
}

impl StoppedDemo {
    /// Writes the configuration of the receiver, and adds the receiver to that of the agent. Both
    /// use the demo's keys.
    fn configure(&self, port: u16) -> Result<()> {
        let Self { directory, user, ssh_address } = self;
        let write = |name: &str, text: String| fs::write(directory.join(name), text).context(name);
        let read = |name: &str| fs::read_to_string(directory.join(name)).context(name);
        let host = ssh_address.rsplit_once(':').ok_or("the demo has no SSH address")?;
        let known = read("known_hosts")?.replace(&format!("]:{}", host.1), &format!("]:{port}"));
        write("receiver_hosts", known)?;
        write(
            RECEIVER,
            format!(
                "[receive]\nstate-dir = \"receiver\"\nlog = \"{LINES}\"\nformat = \"{FORMAT}\"\n\n\
                 [[listen]]\ntransport = \"ssh\"\naddress = \"127.0.0.1:{port}\"\n\n\
                 [ssh]\nhost-keys = [\"ssh_host_ed25519_key\"]\nauthorized-keys = [\"authorized_keys/%u\"]\n\n\
                 [[accept]]\nname = \"{user}\"\nmodel = \"tsm\"\n"
            ),
        )?;
        let target = format!(
            "[[notify]]\nname = \"receiver\"\nto = \"ssh:{user}@127.0.0.1:{port}\"\n\
             ssh-key = \"id_ed25519\"\nknown-hosts = \"receiver_hosts\"\n"
        );
        let agent = read("portreeved.toml")?;
        write("portreeved.toml", agent + &target)
    }

    /// Waits until a file contains a line with `text`, and returns the line.
    fn await_text(&self, name: &str, text: &str, server: &mut Server) -> Result<String> {
        let path = self.directory.join(name);
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let content = fs::read_to_string(&path).unwrap_or_default();
            let lines = content.strip_suffix('\n').unwrap_or_default();
            if let Some(line) = lines.split('\n').find(|line| line.contains(text)) {
                return Ok(line.to_owned());
            }
            if Instant::now() > deadline {
                let logs = ["agent.log", RECEIVER_LOG].map(|name| self.directory.join(name));
                let logs = logs.map(|path| fs::read_to_string(path).unwrap_or_default());
                return Err(format!("no {text} has arrived\n{}", logs.concat()).into());
            }
            server.check()?;
            thread::sleep(POLL_INTERVAL);
        }
    }
}

/// The interface that goes down.
const LINK: &str = Pair::INTERFACE;
const RECEIVER: &str = "portreeve-trapd.toml";
const RECEIVER_LOG: &str = "receiver.log";
/// The file of the received notifications.
const LINES: &str = "notifications.log";
/// The variables on one line, with tabs between them.
const FORMAT: &str = "%v\\\\n";
const TIMEOUT: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(1);
