//! Creates snapshots of the sockets.

use std::io;

use portreeve_smi::Timestamp;

use super::{
    SocketFile, SocketSource, Sockets,
    row::{self, ProcLine},
};
use crate::{Collect, proc_file};

/// Reads the sockets from a source.
pub struct SocketCollect<S> {
    source: S,
    text: String,
}

impl<S: SocketSource> SocketCollect<S> {
    /// Creates a collector that reads from `source`.
    pub fn new(source: S) -> Self {
        Self { source, text: String::new() }
    }

    fn text(&mut self, which: SocketFile) -> io::Result<&str> {
        proc_file::replace(&mut self.text, |text| self.source.read(which, text))
    }
}

impl<S: SocketSource> Collect for SocketCollect<S> {
    type Snapshot = Sockets;

    fn collect(&mut self, _: Timestamp, _: &Sockets, next: &mut Sockets) -> io::Result<()> {
        next.tables().into_iter().for_each(Vec::clear);
        for which in [SocketFile::Tcp, SocketFile::Tcp6] {
            ProcLine::all(self.text(which)?).for_each(|line| next.add_tcp(&line));
        }
        for which in [SocketFile::Udp, SocketFile::Udp6] {
            ProcLine::all(self.text(which)?).for_each(|line| next.add_udp(&line));
        }
        next.tables().into_iter().for_each(row::arrange);
        Ok(())
    }
}

impl Sockets {
    fn add_tcp(&mut self, line: &ProcLine) {
        if line.is_ipv4() {
            self.tcp_ipv4.push(line.tcp_ipv4_row());
        }
        if line.is_listening() {
            self.tcp_listeners.push(line.tcp_listener_row());
        } else {
            self.tcp_connections.push(line.tcp_connection_row());
        }
    }

    fn add_udp(&mut self, line: &ProcLine) {
        if line.is_ipv4() {
            self.udp_ipv4.push(line.udp_ipv4_row());
        }
        self.udp_endpoints.push(line.udp_endpoint_row());
    }

    fn tables(&mut self) -> [&mut Vec<super::SocketRow>; 5] {
        [
            &mut self.tcp_ipv4,
            &mut self.tcp_connections,
            &mut self.tcp_listeners,
            &mut self.udp_ipv4,
            &mut self.udp_endpoints,
        ]
    }
}
