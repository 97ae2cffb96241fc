//! Error output: to stderr, or to the system log if stderr is closed. sshd does not pass on the
//! stderr of its subsystems.

use std::{
    io::{self, Write},
    os::unix::net::UnixDatagram,
    path::Path,
    process,
};

use crate::error::CommandError;

/// Reports the reason why there is no session.
pub(crate) fn report(error: &CommandError) {
    write_report(&error.to_string(), &mut io::stderr(), Path::new(SYSTEM_LOG));
}

fn write_report(text: &str, stderr: &mut impl Write, log: &Path) {
    if stderr.write_all(format!("portreeve-snmp: {text}\n").as_bytes()).is_ok() {
        return;
    }
    let text = text.replace('\n', "; ");
    let line = format!("<{}>portreeve-snmp[{}]: {text}", AUTHPRIV | ERR, process::id());
    // If the system log fails, too, the error cannot be reported.
    let _ = UnixDatagram::unbound().and_then(|socket| {
        socket.set_nonblocking(true)?;
        socket.send_to(line.as_bytes(), log)
    });
}

/// The socket of the system log: syslog, or journald if it replaces syslog.
const SYSTEM_LOG: &str = "/dev/log";
/// The facility to which sshd itself logs, as defined in syslog.h.
const AUTHPRIV: u8 = 10 << 3;
const ERR: u8 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_is_sent_to_syslog_when_stderr_is_closed() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let syslog = UnixDatagram::bind(&log).unwrap();
        syslog.set_nonblocking(true).unwrap();
        let mut written = Vec::new();
        write_report("one\nhint: two", &mut written, &log);
        assert_eq!(written, b"portreeve-snmp: one\nhint: two\n");
        let mut line = [0; 100];
        assert_eq!(syslog.recv(&mut line).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        write_report("one\nhint: two", &mut Broken, &log);
        let count = syslog.recv(&mut line).unwrap();
        let expected = format!("<83>portreeve-snmp[{}]: one; hint: two", process::id());
        assert_eq!(String::from_utf8_lossy(&line[..count]), expected);
        drop(syslog);
        write_report("unread", &mut Broken, &log);
    }

    /// A pipe whose reading end is closed.
    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
