//! The agent of the demo: `portreeved demo` on free ports of loopback, and the credentials that it
//! writes.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use portreeve_sys::kill_with_parent;

use crate::error::{Context, Result};
use crate::ports::free_port;
use crate::process::{register_child, signal, unregister_child};

/// A running `portreeved demo` and the credentials that it wrote.
pub struct Demo {
    child: Child,
    // Kept open, because the daemon would fail to write to a closed pipe.
    _stdout: BufReader<ChildStdout>,
    env: HashMap<String, String>,
    /// The users that the demo created: one for each pair of algorithms and each level.
    pub users: Vec<User>,
}

impl Demo {
    /// Starts the demo in `directory` on free ports of loopback and waits until it is ready. Its
    /// log is written to a file next to the directory.
    pub fn start(program: &Path, directory: &Path) -> Result<Self> {
        let log = directory.with_extension("log");
        let mut command = Command::new(program);
        command
            .arg("demo")
            .arg("--dir")
            .arg(directory)
            .args(["--base-port", &free_port()?.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log).context(log.display())?);
        let mut child = kill_with_parent(&mut command).spawn().context(program.display())?;
        register_child(child.id());
        let stdout = child.stdout.take().ok_or("cannot read the daemon's output: it is not a pipe")?;
        let mut demo =
            Self { child, _stdout: BufReader::new(stdout), env: HashMap::new(), users: Vec::new() };
        let mut line = String::new();
        while line.trim() != "ready" {
            line.clear();
            if demo._stdout.read_line(&mut line)? == 0 {
                let reason = fs::read_to_string(&log).unwrap_or_default();
                return Err(format!("portreeved demo exited before it was ready\n{reason}").into());
            }
        }
        demo.env = read_env(&directory.join("credentials.env"))?;
        demo.users = read_users(&directory.join("users.tsv"))?;
        Ok(demo)
    }

    /// Returns the value of a variable in `credentials.env`.
    pub fn env(&self, name: &str) -> Result<&str> {
        self.env.get(name).map(String::as_str).ok_or_else(|| format!("credentials.env has no {name}").into())
    }

    /// Sends SIGTERM; the demo must exit with status 0.
    pub fn stop(mut self) -> Result<()> {
        signal(self.child.id(), "TERM")?;
        match self.child.wait()? {
            status if status.success() => Ok(()),
            status => Err(format!("portreeved demo exited with {status}").into()),
        }
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        unregister_child(self.child.id());
    }
}

/// A user listed in `users.tsv`.
#[derive(Clone)]
pub struct User {
    /// The user's name.
    pub name: String,
    /// The security level.
    pub level: String,
    /// The authentication protocol; empty without one.
    pub auth: String,
    /// The pass phrase for authentication.
    pub auth_pass: String,
    /// The privacy protocol; empty without one.
    pub privacy: String,
    /// The pass phrase for privacy.
    pub priv_pass: String,
}

impl User {
    /// Returns the options that authenticate a Net-SNMP compatible command as this user.
    pub fn options(&self) -> Vec<String> {
        let mut options = vec!["-v3", "-u", &self.name, "-l", &self.level];
        if self.level != "noAuthNoPriv" {
            options.extend(["-a", &self.auth, "-A", &self.auth_pass]);
        }
        if self.level == "authPriv" {
            options.extend(["-x", &self.privacy, "-X", &self.priv_pass]);
        }
        options.into_iter().map(String::from).collect()
    }
}

/// Reads the variables in a file of a shell's assignments.
pub fn read_env(path: &Path) -> Result<HashMap<String, String>> {
    let text = fs::read_to_string(path).context(path.display())?;
    let lines = text.lines().map(|line| line.trim().trim_start_matches("export "));
    let pairs = lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
    Ok(pairs.map(|(name, value)| (name.to_owned(), value.trim_matches(['\'', '"']).to_owned())).collect())
}

/// Reads a table of users such as `users.tsv`.
pub fn read_users(path: &Path) -> Result<Vec<User>> {
    let text = fs::read_to_string(path).context(path.display())?;
    let lines =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with("name\t"));
    Ok(lines
        .map(|line| {
            let mut fields = line.split('\t').map(|field| if field == "-" { "" } else { field }.to_owned());
            let mut next = || fields.next().unwrap_or_default();
            User {
                name: next(),
                level: next(),
                auth: next(),
                auth_pass: next(),
                privacy: next(),
                priv_pass: next(),
            }
        })
        .collect())
}
