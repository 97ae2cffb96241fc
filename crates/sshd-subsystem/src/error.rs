//! Errors for the administrator's log, or for a user who runs the program by hand.

use std::{
    fmt, io,
    io::ErrorKind::{ConnectionRefused, NotFound, PermissionDenied},
    path::PathBuf,
};

/// The reason why there is no session.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// The program was started at a terminal.
    Terminal,
    /// The agent's socket is not reachable.
    Unreachable(PathBuf, io::Error),
    /// The agent has closed the session without a response.
    Closed,
    /// Another system error.
    Io(io::Error),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Terminal => f.write_str(
                "not started by sshd\n\
                 hint: sshd runs this program as `Subsystem snmp` in sshd_config; see portreeve-snmp(8)",
            ),
            Self::Unreachable(socket, error) => {
                let socket = socket.display();
                match error.kind() {
                    NotFound | ConnectionRefused => write!(
                        f,
                        "no agent listens at {socket}\n\
                         hint: portreeved creates this socket if it has a [[listen]] section with \
                         transport = \"behind-sshd\""
                    ),
                    PermissionDenied => write!(
                        f,
                        "this user has no access to the agent at {socket}\n\
                         hint: `users` or `group` of the agent's [[listen]] section with \
                         transport = \"behind-sshd\" grants access"
                    ),
                    _ => write!(f, "the agent at {socket} is not reachable: {error}"),
                }
            }
            Self::Closed => f.write_str(
                "the agent has closed the session without a response\n\
                 hint: see the agent's log; `users` of its [[listen]] section with \
                 transport = \"behind-sshd\" lists the accepted users",
            ),
            Self::Io(error) => write!(f, "the session failed: {error}"),
        }
    }
}
