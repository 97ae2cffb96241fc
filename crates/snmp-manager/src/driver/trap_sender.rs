//! Sends traps over one socket.

use std::{io, net::SocketAddr};

use portreeve_smi::{ClockReading, EngineId};
use portreeve_snmp_message::{TrapV1, VarBinds};

use super::{Link, MessageObserver, WireMessage, open_link, random_seed};
use crate::{Credentials, InvalidRequestError, PeerAddress, SessionOptions, TrapEncoder};

/// Sends traps to one receiver. No receiver confirms a trap: over UDP it can be lost, and over a
/// stream it is sent when the operating system has accepted it.
///
/// ```no_run
/// use portreeve_snmp_manager::*;
///
/// let community = Credentials::V2c(Secret::from("public"));
/// let (receiver, options) = ("192.0.2.1:162".parse()?, SessionOptions::default());
/// let mut sender = TrapSender::open(&receiver, community, EngineId::LOCAL, &options)?;
/// let mut variables = Request::new(Operation::Inform);
/// variables.push(&[1, 3, 6, 1, 2, 1, 1, 3, 0], Value::TimeTicks(4200));
/// let cold_start = OidRef::Arcs(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 1]);
/// variables.push(&[1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0], Value::ObjectId(cold_start));
/// sender.send(ClockReading::default(), variables.variables())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TrapSender {
    encoder: TrapEncoder,
    link: Box<dyn Link>,
    observer: Option<MessageObserver>,
}

impl TrapSender {
    /// Resolves the address and opens a socket. For a secure transport, open the session yourself
    /// and use [`Self::with_link`]. `engine_id` is the sender's; only SNMPv3 needs it.
    ///
    /// # Errors
    /// The name cannot be resolved, the socket cannot be opened, the transport is a secure one
    /// (`Unsupported`), or a localized key has a wrong length (`InvalidInput`).
    pub fn open(
        address: &PeerAddress,
        credentials: Credentials,
        engine_id: EngineId,
        options: &SessionOptions,
    ) -> io::Result<Self> {
        Self::with_boxed_link(open_link(address, options)?, credentials, engine_id, options)
    }

    /// Creates a sender over an existing link.
    ///
    /// # Errors
    /// A localized key has a wrong length (`InvalidInput`).
    pub fn with_link(
        link: impl Link + 'static,
        credentials: Credentials,
        engine_id: EngineId,
        options: &SessionOptions,
    ) -> io::Result<Self> {
        Self::with_boxed_link(Box::new(link), credentials, engine_id, options)
    }

    fn with_boxed_link(
        link: Box<dyn Link>,
        credentials: Credentials,
        engine_id: EngineId,
        options: &SessionOptions,
    ) -> io::Result<Self> {
        let encoder = TrapEncoder::new(credentials, engine_id, options, random_seed())
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        Ok(Self { encoder, link, observer: None })
    }

    /// Passes each encoded message from now on to `observer`.
    pub fn observe(&mut self, observer: impl FnMut(WireMessage<'_>) + 'static) {
        self.observer = Some(Box::new(observer));
    }

    /// Returns the local address and the receiver's, if the transport has addresses.
    pub fn addresses(&self) -> Option<(SocketAddr, SocketAddr)> {
        self.link.addresses()
    }

    /// Sends an SNMPv2-Trap; see [`TrapEncoder::encode`].
    ///
    /// # Errors
    /// The link failed, or the trap cannot be encoded (`InvalidInput`).
    pub fn send(&mut self, clock: ClockReading, var_binds: VarBinds<'_>) -> io::Result<()> {
        let message = self.encoder.encode(clock, var_binds).map_err(invalid)?;
        send(message, &mut *self.link, &mut self.observer)
    }

    /// Sends a trap of SNMPv1; see [`TrapEncoder::encode_v1`].
    ///
    /// # Errors
    /// The link failed, or the trap cannot be encoded (`InvalidInput`).
    pub fn send_v1(&mut self, trap: &TrapV1<'_>) -> io::Result<()> {
        let message = self.encoder.encode_v1(trap).map_err(invalid)?;
        send(message, &mut *self.link, &mut self.observer)
    }
}

fn send(message: &[u8], link: &mut dyn Link, observer: &mut Option<MessageObserver>) -> io::Result<()> {
    if let Some(observer) = observer {
        observer(WireMessage::Sent(message));
    }
    link.send(message)
}

fn invalid(error: InvalidRequestError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}
