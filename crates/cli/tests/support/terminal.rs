//! Runs the real binary on a pseudoterminal.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{LocalModes, tcgetattr},
};

use super::find_program;

pub struct TestTerminal {
    controller: File,
    terminal: File,
    child: Child,
    pieces: Receiver<Vec<u8>>,
    /// The output of the program so far.
    pub screen: String,
}

impl TestTerminal {
    /// Runs `portreeve` with the arguments in `line`. If `with_output` is false, standard output is
    /// discarded. Returns `None` if `setsid` is not installed.
    pub fn run(line: &str, with_output: bool) -> Option<Self> {
        let setsid = find_program("setsid")?;
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        let path = ptsname(&controller, Vec::new()).unwrap().into_string().unwrap();
        let terminal = OpenOptions::new().read(true).write(true).open(path).unwrap();
        let end = || Stdio::from(terminal.try_clone().unwrap());
        let child = Command::new(setsid)
            .args(["--ctty", "--wait", env!("CARGO_BIN_EXE_portreeve")])
            .args(line.split(' '))
            .env_remove("COLUMNS")
            .env_remove("PORTREEVE_AUTH_PASS")
            .env_remove("PORTREEVE_PRIV_PASS")
            .env("SNMPCONFPATH", "/nonexistent")
            .env("MIBS", "")
            .stdin(end())
            .stdout(if with_output { end() } else { Stdio::null() })
            .stderr(end())
            .spawn()
            .unwrap();
        let controller = File::from(controller);
        let mut reader = controller.try_clone().unwrap();
        let (sender, pieces) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count) = reader.read(&mut buffer) {
                if count == 0 || sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Some(Self { controller, terminal, child, pieces, screen: String::new() })
    }

    /// Waits until the program has printed `text`.
    pub fn wait_for(&mut self, text: &str) {
        let deadline = Instant::now() + TIMEOUT;
        while !self.screen.contains(text) {
            let left = deadline.saturating_duration_since(Instant::now());
            let piece = self.pieces.recv_timeout(left);
            let piece = piece.unwrap_or_else(|_| panic!("no {text:?} in {:?}", self.screen));
            self.screen += &String::from_utf8_lossy(&piece);
        }
    }

    pub fn send_keys(&mut self, keys: &str) {
        self.controller.write_all(keys.as_bytes()).unwrap();
    }

    /// Returns true if the terminal echoes input.
    pub fn is_echo_on(&self) -> bool {
        tcgetattr(&self.terminal)
            .unwrap()
            .local_modes
            .contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }

    /// Waits for the program to exit and collects its remaining output.
    pub fn wait(&mut self) -> ExitStatus {
        let status = self.child.wait().unwrap();
        while let Ok(piece) = self.pieces.recv_timeout(Duration::from_millis(100)) {
            self.screen += &String::from_utf8_lossy(&piece);
        }
        status
    }
}

const TIMEOUT: Duration = Duration::from_secs(30);
