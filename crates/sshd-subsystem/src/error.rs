//! What the administrator is told, in the log, or a user who runs the program by hand.

use std::{
    fmt, io,
    io::ErrorKind::{ConnectionRefused, NotFound, PermissionDenied},
    path::PathBuf,
};

/// Why there is no session.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// Somebody has typed the program's name.
    Terminal,
    /// The agent's socket cannot be reached.
    Unreachable(PathBuf, io::Error),
    /// The agent has closed the session and never said anything.
    Closed,
    /// The machine refuses something else.
    Io(io::Error),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Terminal => f.write_str(
                "there is no session here: sshd runs this program\n\
                 hint: `Subsystem snmp` in sshd_config names it; see portreeve-snmp(8)",
            ),
            Self::Unreachable(socket, error) => {
                let socket = socket.display();
                match error.kind() {
                    NotFound | ConnectionRefused => write!(
                        f,
                        "no agent listens at {socket}\n\
                         hint: portreeved makes that socket where its configuration has [[listen]] transport = \"behind-sshd\""
                    ),
                    PermissionDenied => write!(
                        f,
                        "this user may not speak to the agent at {socket}\n\
                         hint: `users` or `group` of the agent's [[listen]] transport = \"behind-sshd\" says who may"
                    ),
                    _ => write!(f, "the agent at {socket} cannot be reached: {error}"),
                }
            }
            Self::Closed => f.write_str(
                "the agent has closed the session without an answer\n\
                 hint: its log says why; whom it lets in stands in `users` of its [[listen]] transport = \"behind-sshd\"",
            ),
            Self::Io(error) => write!(f, "the session has broken off: {error}"),
        }
    }
}
