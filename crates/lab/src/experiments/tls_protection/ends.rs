//! The two ends: a thread that answers GETs, and sessions with it.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use portreeve_lab_net::Topology;
use portreeve_lab_tls::{Ends, Protection, complete_handshake};
use portreeve_smi::ber::{ForwardWriter, ReverseWriter};
use portreeve_smi::{MessageProcessingModel, Value};
use portreeve_snmp_message::{CommunityMessage, Pdu, PduType, prepend_community_message, prepend_pdu};
use rustix::time::{ClockId, clock_gettime};

use crate::error::{Context as _, Result};
use crate::peers::{AGENT_CORE, MANAGER_CORE};
use crate::requests::{SYS_DESCR, get};

/// A thread in the agent's place that answers GETs in TLS sessions, one session after the other. It
/// ends with the process.
pub(super) struct Responder {
    ends: Ends,
    address: SocketAddr,
    /// The client's address and the CPU time of each session, when it has ended.
    cpu: Receiver<(SocketAddr, Result<f64>)>,
}

/// A session, in seconds.
pub(super) struct Session {
    pub(super) total: f64,
    /// From connecting to the end of the handshake.
    pub(super) open: f64,
    /// From the first request to the last response.
    pub(super) messages: f64,
    pub(super) client_cpu: f64,
    pub(super) agent_cpu: f64,
}

impl Responder {
    pub(super) fn start(topology: &Topology, protection: Protection) -> Result<Self> {
        let ends = Ends::new(protection).context("the certificates of the lab")?;
        let (sender, cpu) = channel();
        let (server, address) = (ends.clone(), topology.agent_v4());
        let (bound, bound_at) = channel();
        topology.agent().spawn_thread(move || -> Result<()> {
            let listener = TcpListener::bind((address, 0))?;
            let _ = bound.send(listener.local_addr()?);
            pin(AGENT_CORE);
            serve(&listener, &server, &sender);
            Ok(())
        })?;
        let address = bound_at.recv_timeout(TIMEOUT).context("the responder does not start")?;
        Ok(Self { ends, address, cpu })
    }

    /// Runs a session with this number of GETs.
    pub(super) fn session(&mut self, topology: &Topology, messages: usize) -> Result<Session> {
        let (ends, address) = (&self.ends, self.address);
        let request = get("public", &[SYS_DESCR, &[0]].concat())?;
        let (mut session, client, response) =
            topology.manager().run(|| run(ends, address, &request, messages))??;
        check(&response)?;
        session.agent_cpu = cpu_of(&self.cpu, client)?;
        Ok(session)
    }
}

/// Waits for the CPU time of the session of a client. Skips those of earlier sessions, which have
/// failed at the client's end.
fn cpu_of(cpu: &Receiver<(SocketAddr, Result<f64>)>, client: SocketAddr) -> Result<f64> {
    loop {
        let (address, seconds) = cpu.recv_timeout(TIMEOUT).context("the responder does not answer")?;
        if address == client {
            return seconds;
        }
    }
}

/// Runs a session; returns also the client's address and the last response.
fn run(
    ends: &Ends,
    address: SocketAddr,
    request: &[u8],
    messages: usize,
) -> Result<(Session, SocketAddr, Vec<u8>)> {
    pin(MANAGER_CORE);
    let (begun, cpu) = (Instant::now(), thread_cpu());
    let stream = TcpStream::connect(address)?;
    let client = stream.local_addr()?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    let mut stream = ends.connect(stream).context("the client's end")?;
    complete_handshake(&mut stream)?;
    let opened = Instant::now();
    let mut response = Vec::new();
    for _ in 0..messages {
        stream.write_all(request)?;
        stream.flush()?;
        read_message(&mut stream, &mut response)?;
    }
    let done = Instant::now();
    stream.conn.send_close_notify();
    stream.conn.complete_io(&mut stream.sock)?;
    stream.sock.shutdown(Shutdown::Write)?;
    let ended = Instant::now();
    let session = Session {
        total: (ended - begun).as_secs_f64(),
        open: (opened - begun).as_secs_f64(),
        messages: (done - opened).as_secs_f64(),
        client_cpu: thread_cpu() - cpu,
        agent_cpu: 0.0,
    };
    Ok((session, client, response))
}

/// Checks that the last response contains the value.
fn check(response: &[u8]) -> Result<()> {
    let mut message = CommunityMessage::parse(response)?;
    let pdu = Pdu::parse(&mut message.pdu)?;
    match pdu.var_binds.iter().next().map(|bind| bind.value) {
        Some(Value::OctetString(value)) if value == SYS_DESCR_VALUE => Ok(()),
        _ => Err("the responder has sent another value".into()),
    }
}

fn serve(listener: &TcpListener, ends: &Ends, cpu: &Sender<(SocketAddr, Result<f64>)>) {
    // If a connection cannot be accepted, the measurement of its client fails.
    while let Ok((stream, client)) = listener.accept() {
        let before = thread_cpu();
        let served = answer(stream, ends);
        if cpu.send((client, served.map(|()| thread_cpu() - before))).is_err() {
            return;
        }
    }
}

/// Answers the requests of one session.
fn answer(stream: TcpStream, ends: &Ends) -> Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    let mut stream = ends.accept(stream).context("the server's end")?;
    let (mut request, mut buffer) = (Vec::new(), [0; 512]);
    loop {
        match read_message(&mut stream, &mut request) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        stream.write_all(respond(&request, &mut buffer)?)?;
        stream.flush()?;
    }
}

/// Encodes the response to a request: the value for each variable.
fn respond<'b>(request: &[u8], buffer: &'b mut [u8; 512]) -> Result<&'b [u8]> {
    let mut message = CommunityMessage::parse(request)?;
    let community = message.community;
    let pdu = Pdu::parse(&mut message.pdu)?;
    let full = |_| "the response is too long";
    let mut writer = ForwardWriter::resume(buffer, HEADROOM);
    for bind in pdu.var_binds.iter() {
        writer.var_bind(&bind.name.to_buf(), &Value::OctetString(SYS_DESCR_VALUE)).map_err(full)?;
    }
    let end = writer.len();
    let mut writer = ReverseWriter::before(buffer, HEADROOM..end);
    prepend_pdu(&mut writer, PduType::Response, pdu.request_id, 0, 0).map_err(full)?;
    prepend_community_message(&mut writer, MessageProcessingModel::V2c, community).map_err(full)?;
    let length = writer.written().len();
    Ok(buffer.get(end - length..end).unwrap_or_default())
}

/// Reads one message: its length is in its header.
fn read_message(stream: &mut impl Read, message: &mut Vec<u8>) -> io::Result<()> {
    message.clear();
    message.resize(2, 0);
    stream.read_exact(message)?;
    let short = message.get(1).copied().unwrap_or_default();
    let content = match short {
        0..=0x7f => usize::from(short),
        _ => {
            // Messages of the lab have at most 65 535 octets.
            let octets = usize::from(short & 0x7f).min(2);
            let start = message.len();
            message.resize(start + octets, 0);
            let length = message.get_mut(start..).unwrap_or_default();
            stream.read_exact(length)?;
            length.iter().fold(0, |length, octet| length << 8 | usize::from(*octet))
        }
    };
    let start = message.len();
    message.resize(start + content, 0);
    stream.read_exact(message.get_mut(start..).unwrap_or_default())
}

/// Returns the mean length of a request and its response.
pub(super) fn mean_message_len() -> Result<usize> {
    let request = get("public", &[SYS_DESCR, &[0]].concat())?;
    let mut buffer = [0; 512];
    Ok((request.len() + respond(&request, &mut buffer)?.len()) / 2)
}

/// Pins the thread to a core, with real-time priority if permitted.
pub(super) fn pin(core: usize) {
    if available_parallelism().is_ok_and(|cores| cores.get() > AGENT_CORE) {
        let _ = portreeve_sys::pin_to_core(core);
        let _ = portreeve_sys::set_realtime_priority(1);
    }
}

fn thread_cpu() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// As long as the value of sysDescr.0 in the experiments with portreeved.
const SYS_DESCR_VALUE: &[u8] = b"a value of fifty octets, as long as that of agents";
const HEADROOM: usize = 128;
const TIMEOUT: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_has_the_value_and_the_identifier_of_its_request() {
        let request = get("public", &[SYS_DESCR, &[0]].concat()).unwrap();
        let mut buffer = [0; 512];
        let response = respond(&request, &mut buffer).unwrap();
        check(response).unwrap();
        let mut message = CommunityMessage::parse(response).unwrap();
        let mut sent = CommunityMessage::parse(&request).unwrap();
        let (response, request) = (Pdu::parse(&mut message.pdu).unwrap(), Pdu::parse(&mut sent.pdu).unwrap());
        assert_eq!((response.pdu_type, response.request_id), (PduType::Response, request.request_id));
        assert_eq!(SYS_DESCR_VALUE.len(), 50);
    }

    #[test]
    fn results_of_sessions_that_the_client_has_given_up_are_skipped() {
        let (sender, cpu) = channel();
        let client = |port| SocketAddr::from(([127, 0, 0, 1], port));
        sender.send((client(1), Err("timed out".into()))).unwrap();
        sender.send((client(2), Ok(7.0))).unwrap();
        sender.send((client(3), Ok(0.5))).unwrap();
        assert_eq!(cpu_of(&cpu, client(3)).ok(), Some(0.5));
        drop(sender);
        assert!(cpu_of(&cpu, client(4)).is_err());
    }

    #[test]
    fn messages_are_divided_by_their_lengths() {
        let mut long = vec![0x30, 0x82, 0x01, 0x00];
        long.resize(260, 7);
        let mut medium = vec![0x30, 0x81, 0x80];
        medium.resize(131, 8);
        let messages = [vec![0x30, 0x02, 1, 2], medium, long];
        let octets = messages.concat();
        let (mut stream, mut message) = (octets.as_slice(), Vec::new());
        for expected in messages {
            read_message(&mut stream, &mut message).unwrap();
            assert_eq!(message, expected);
        }
        assert_eq!(read_message(&mut stream, &mut message).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
