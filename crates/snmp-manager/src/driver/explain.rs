//! Finding out why a request failed, with a few questions more.

use std::{
    io::ErrorKind,
    net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket},
    time::{Duration, Instant},
};

use portreeve_smi::{ErrorStatus, Timestamp};

use super::{Client, ClientError, random_seed};
use crate::{
    Cause, Diagnosis, Operation, Request, RequestError,
    explain::{Probe, Sign},
};

impl Client {
    /// Why a request has no Response. After silence over UDP the agent is asked a little more, for at most a second:
    /// whether it knows SNMPv3 (a discovery, without any name), and with the session's own community in both versions.
    pub fn explain(&mut self, error: &ClientError) -> Option<Diagnosis> {
        let error = match error {
            ClientError::Io(error) => return Diagnosis::from_io(error),
            ClientError::Request(error) => error,
        };
        let diagnosis = self.session.explain(error);
        if !matches!(error, RequestError::Timeout(None)) {
            return Some(diagnosis);
        }
        if self.link.is_session() && diagnosis.cause == Cause::CommunitySilent {
            return Some(Cause::CommunitySilentInSession.into());
        }
        let heard = match self.link.hearsay() {
            Some(word) => Diagnosis::from_io(&ErrorKind::into(word)),
            None => self.probe().map(Diagnosis::from),
        };
        Some(heard.unwrap_or(diagnosis))
    }

    /// Why the agent has answered a request about `name` with this error-status; `None` where the status says it all.
    pub fn explain_status(&self, status: ErrorStatus, name: &[u32]) -> Option<Diagnosis> {
        self.session.explain_status(status, name)
    }

    /// Why the agent has said that there is no `name`, or nothing below it. Asks once more, whether there is anything.
    pub fn explain_absence(&mut self, name: &[u32]) -> Diagnosis {
        let anything = Request::read(Operation::GetNext, [&[1u32, 3][..]]);
        let is_empty = match self.request(&anything) {
            Ok(response) if response.is_error() => response.error_status() == Some(ErrorStatus::NoSuchName),
            Ok(response) => response.var_binds().iter().all(|bind| bind.value.is_exception()),
            Err(_) => false,
        };
        if is_empty {
            return Cause::NothingVisible { asker: self.session.asker() }.into();
        }
        self.session.explain_absence(name)
    }

    /// Asks from an unconnected socket, so that answers from other addresses are heard.
    fn probe(&self) -> Option<Cause> {
        let peer = self.link.datagrams_to()?;
        let socket = match peer {
            SocketAddr::V4(_) => UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)),
            SocketAddr::V6(_) => UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0)),
        };
        let socket = socket.ok()?;
        let mut probes = Probe::all(&self.session, random_seed());
        let (started, mut signs, mut buffer) = (Instant::now(), Vec::new(), vec![0; LARGEST]);
        let mut patience = PATIENCE;
        while let Some(left) = patience.checked_sub(started.elapsed()).filter(|left| !left.is_zero()) {
            let now = Timestamp::ZERO + started.elapsed();
            for probe in &mut probes {
                if let Some(message) = probe.message(now) {
                    // What cannot be sent is not answered.
                    let _ = socket.send_to(message, peer);
                }
            }
            socket.set_read_timeout(Some(left.min(AGAIN))).ok()?;
            let Ok((length, from)) = socket.recv_from(&mut buffer) else { continue };
            let message = buffer.get(..length).unwrap_or_default();
            let sign = probes.iter_mut().find_map(|probe| probe.hear(now, &mut message.to_vec()));
            let Some(sign) = sign else { continue };
            if from != peer {
                return Some(Cause::AnswersFromElsewhere { address: from });
            }
            signs.push(sign);
            // The others will not be long.
            patience = patience.min(started.elapsed() + OTHERS);
        }
        Sign::cause(&signs, &self.session)
    }
}

/// How long the agent is probed at most.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often is looked whether a probe is to be sent again.
const AGAIN: Duration = Duration::from_millis(250);
/// How long other answers are waited for after the first.
const OTHERS: Duration = Duration::from_millis(250);
const LARGEST: usize = 65_536;

#[cfg(test)]
mod tests;
