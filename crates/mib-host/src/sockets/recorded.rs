//! Recorded socket files, for tests.

use std::io;

use super::{SocketFile, SocketSource};

/// Socket files of a recorded machine.
pub(crate) struct RecordedSockets {
    pub(crate) tcp: String,
    /// Simulates a kernel without IPv6, which lacks the IPv6 files.
    pub(crate) without_ipv6: bool,
}

impl Default for RecordedSockets {
    fn default() -> Self {
        Self { tcp: TCP.to_owned(), without_ipv6: false }
    }
}

impl SocketSource for RecordedSockets {
    fn read(&mut self, which: SocketFile, text: &mut String) -> io::Result<()> {
        text.push_str(match which {
            SocketFile::Tcp6 | SocketFile::Udp6 if self.without_ipv6 => {
                return Err(io::ErrorKind::NotFound.into());
            }
            SocketFile::Tcp => &self.tcp,
            SocketFile::Tcp6 => TCP6,
            SocketFile::Udp => UDP,
            SocketFile::Udp6 => HEAD,
        });
        Ok(())
    }
}

const HEAD: &str =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
pub(crate) const TCP: &str = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:07E8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1076 1 0 100 0 0 10 0
   1: 0100007F:07E8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1077 1 0 100 0 0 10 0
   2: 020200C0:8F9E 507100CB:01BB 01 00000000:00000000 02:00000A8C 00000000     0        0 99 2 0 21 4 30 10 -1
   3: 020200C0:8F9F 507100CB:01BB 06 00000000:00000000 03:00000A8C 00000000     0        0 0 3 0
   4: 020200C0
";
const TCP6: &str = "\
  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:0016 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 7 1 0 100 0 0 10 0
   1: 0000000000000000FFFF00000100007F:0016 0000000000000000FFFF00000100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 8 1 0 100 0 0 10 0
";
const UDP: &str = "\
   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  10: 00000000:00A1 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 501 2 0 0
  10: 00000000:00A1 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 502 2 0 0
  11: 0100007F:D8F4 0100007F:00A1 01 00000000:00000000 00:00000000 00000000     0        0 503 2 0 0
";
