//! Explains a failed request, with a few additional requests.

use std::{
    io::ErrorKind,
    net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket},
    time::{Duration, Instant},
};

use portreeve_smi::{ErrorStatus, Timestamp};

use super::{Client, ClientError, random_seed};
use crate::{
    Cause, Diagnosis, Operation, Request, RequestError,
    explain::{Probe, ProbeReply},
};

impl Client {
    /// Explains why a request received no Response. After a timeout over UDP, sends probes to the
    /// agent and waits at most one second for replies. The probes are an SNMPv3 discovery, which
    /// contains no user name, and requests in SNMPv1 and SNMPv2c with the session's own community.
    pub fn explain(&mut self, error: &ClientError) -> Option<Diagnosis> {
        let error = match error {
            ClientError::Io(error) => return Diagnosis::from_io(error),
            ClientError::Request(error) => error,
        };
        let diagnosis = self.session.explain(error);
        if !matches!(error, RequestError::Timeout(None)) {
            return Some(diagnosis);
        }
        if self.link.is_secure_session() && diagnosis.cause == Cause::NoReplyToCommunity {
            return Some(Cause::NoReplyToCommunityInSession.into());
        }
        let probed = match self.link.icmp_error() {
            Some(kind) => Diagnosis::from_io(&ErrorKind::into(kind)),
            None => self.probe().map(Diagnosis::from),
        };
        Some(probed.unwrap_or(diagnosis))
    }

    /// Returns the likely cause of a failed request, from everything that the session has seen.
    /// Unlike [`Self::explain`], sends nothing.
    pub fn likely_cause(&self, error: &RequestError) -> Cause {
        self.session.explain(error).cause
    }

    /// Explains an error-status in the Response to a request for `name`; `None` if the status needs
    /// no explanation.
    pub fn explain_status(&self, status: ErrorStatus, name: &[u32]) -> Option<Diagnosis> {
        self.session.explain_status(status, name)
    }

    /// Explains why the agent reported that `name` does not exist or has nothing below it. Sends
    /// one more request, to find out if the agent returns anything at all.
    pub fn explain_absence(&mut self, name: &[u32]) -> Diagnosis {
        let anything = Request::read(Operation::GetNext, [&[1u32, 3][..]]);
        let is_empty = match self.request(&anything) {
            Ok(response) if response.is_error() => response.error_status() == Some(ErrorStatus::NoSuchName),
            Ok(response) => response.var_binds().iter().all(|bind| bind.value.is_exception()),
            Err(_) => false,
        };
        if is_empty {
            return Cause::EmptyView { identity: self.session.identity() }.into();
        }
        self.session.explain_absence(name)
    }

    /// Sends probes from an unconnected socket, so that replies from other addresses arrive.
    fn probe(&self) -> Option<Cause> {
        let peer = self.link.datagram_peer()?;
        let socket = match peer {
            SocketAddr::V4(_) => UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)),
            SocketAddr::V6(_) => UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0)),
        };
        let socket = socket.ok()?;
        let mut probes = Probe::all(&self.session, random_seed());
        let (started, mut replies, mut buffer) = (Instant::now(), Vec::new(), vec![0; MAX_DATAGRAM_LEN]);
        let mut timeout = PROBE_TIMEOUT;
        while let Some(left) = timeout.checked_sub(started.elapsed()).filter(|left| !left.is_zero()) {
            let now = Timestamp::ZERO + started.elapsed();
            for probe in &mut probes {
                if let Some(message) = probe.message(now) {
                    // A probe that cannot be sent is treated like one without a reply.
                    let _ = socket.send_to(message, peer);
                }
            }
            socket.set_read_timeout(Some(left.min(RESEND_INTERVAL))).ok()?;
            let Ok((length, from)) = socket.recv_from(&mut buffer) else { continue };
            let message = buffer.get(..length).unwrap_or_default();
            let reply = probes.iter_mut().find_map(|probe| probe.handle_input(now, &mut message.to_vec()));
            let Some(reply) = reply else { continue };
            if from != peer {
                return Some(Cause::RepliesFromOtherAddress { address: from });
            }
            replies.push(reply);
            // After the first reply, the replies to the other probes should arrive soon.
            timeout = timeout.min(started.elapsed() + FURTHER_REPLY_TIMEOUT);
        }
        ProbeReply::cause(&replies, &self.session)
    }
}

/// The maximum duration of the probes.
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);
/// The interval at which probes are checked for retransmission.
const RESEND_INTERVAL: Duration = Duration::from_millis(250);
/// The time to wait for further replies after the first one.
const FURTHER_REPLY_TIMEOUT: Duration = Duration::from_millis(250);
const MAX_DATAGRAM_LEN: usize = 65_536;

#[cfg(test)]
mod tests;
