//! One TLS channel, of either end.

use std::{
    io::{self, Read, Write},
    sync::Arc,
};

use portreeve_channel::{ChannelError, Handshake, PeerIdentity, SecureStream, Step};
use rustls::{
    ClientConnection, Connection, Error, HandshakeKind, ProtocolVersion, ServerConnection,
    pki_types::ServerName,
};

use crate::{
    alert::refusal_of,
    glimpse::Glimpse,
    judge::Judge,
    mutual::{Sessions, listening},
};

/// A connection of rustls', and who is at its other end.
pub(crate) struct Channel {
    connection: Connection,
    judge: Arc<Judge>,
    /// On a client, the name by which it reached the server, and the sessions that it may resume.
    client: Option<(ServerName<'static>, Sessions)>,
    /// Whether the server has asked who its client is.
    is_asked: bool,
    peer: Option<PeerIdentity>,
    /// Whether octets of the user's are among what waits for the peer.
    loaded: bool,
    /// What goes by in the handshake, where somebody looks.
    glimpse: Option<Glimpse>,
}

impl Channel {
    pub(crate) fn of_server(connection: ServerConnection, judge: Arc<Judge>) -> Self {
        Self::new(connection.into(), judge, None)
    }

    pub(crate) fn of_client(
        connection: ClientConnection,
        judge: Arc<Judge>,
        name: ServerName<'static>,
        sessions: Sessions,
    ) -> Self {
        Self::new(connection.into(), judge, Some((name, sessions)))
    }

    fn new(
        mut connection: Connection,
        judge: Arc<Judge>,
        client: Option<(ServerName<'static>, Sessions)>,
    ) -> Self {
        connection.set_buffer_limit(Some(MAX_WAITING));
        Self { connection, judge, client, is_asked: false, peer: None, loaded: false, glimpse: None }
    }

    pub(crate) fn watched_by(self, glimpse: Glimpse) -> Self {
        Self { glimpse: Some(glimpse), ..self }
    }

    /// The handshake is done: rustls has checked that the peer holds its certificate's key, now or when the session
    /// that was resumed began.
    fn identify(&mut self) -> Result<(), ChannelError> {
        let chain = self.connection.peer_certificates().unwrap_or_default();
        let name = self.client.as_ref().map(|(name, _)| name);
        let identity = self.judge.identify(chain, name).map_err(|refusal| {
            ChannelError::at(self.step_of_peer(), refusal.to_string()).cured_by(refusal.cure())
        })?;
        if let Some((name, sessions)) = &self.client
            && !self.is_asked
            && self.connection.handshake_kind() != Some(HandshakeKind::Resumed)
        {
            sessions.forget(name);
            return Err(ChannelError::not_asked_who_we_are());
        }
        self.peer = Some(PeerIdentity::Certificate(identity));
        Ok(())
    }

    /// At which step the other end is judged.
    fn step_of_peer(&self) -> Step {
        match self.connection {
            Connection::Client(_) => Step::ServerIdentity,
            Connection::Server(_) => Step::ClientIdentity,
        }
    }

    /// At which step the other end judges us.
    fn step_of_us(&self) -> Step {
        match self.connection {
            Connection::Client(_) => Step::ClientIdentity,
            Connection::Server(_) => Step::ServerIdentity,
        }
    }

    fn explain(&self, error: &Error) -> ChannelError {
        match error {
            Error::InvalidCertificate(found) => {
                let refusal = refusal_of(found);
                ChannelError::at(self.step_of_peer(), refusal.to_string()).cured_by(refusal.cure())
            }
            Error::NoCertificatesPresented => {
                let refusal = portreeve_x509::Refusal::NoCertificate;
                ChannelError::at(self.step_of_peer(), refusal.to_string()).cured_by(refusal.cure())
            }
            Error::AlertReceived(alert) => {
                let word = format!("{alert:?}");
                let about_certificates = CERTIFICATE_ALERTS.contains(&word.as_str());
                let step = if about_certificates {
                    self.step_of_us()
                } else if self.peer.is_some() {
                    Step::Data
                } else {
                    Step::Negotiate
                };
                let error = ChannelError::at(step, format!("the peer answered with the alert {word}"));
                if about_certificates {
                    error.cured_by(portreeve_x509::cure_of_alert((*alert).into()))
                } else {
                    error
                }
            }
            Error::PeerIncompatible(why) => ChannelError::at(Step::Negotiate, format!("{why:?}"))
                .cured_by("both ends need TLS 1.2 or 1.3 with an authenticated cipher suite"),
            Error::InvalidMessage(_) if self.peer.is_none() => {
                ChannelError::at(Step::Negotiate, "what the peer sends is not TLS")
                    .cured_by("see which protocol is spoken at that port")
            }
            other if self.peer.is_some() => ChannelError::at(Step::Data, other.to_string()),
            other => ChannelError::at(Step::Negotiate, other.to_string()),
        }
    }
}

impl SecureStream for Channel {
    fn receive(&mut self, socket: &mut dyn Read) -> Result<io::Result<usize>, ChannelError> {
        let count = match self.connection.read_tls(socket) {
            Ok(count) => count,
            Err(error) => return Ok(Err(error)),
        };
        let (processed, is_asked) = listening(|| self.connection.process_new_packets());
        self.is_asked |= is_asked;
        if let Err(error) = processed {
            return Err(self.explain(&error));
        }
        if self.peer.is_none() && !self.connection.is_handshaking() {
            self.identify()?;
        }
        Ok(Ok(count))
    }

    fn transmit(&mut self, socket: &mut dyn Write) -> io::Result<usize> {
        let taken = self.connection.write_tls(socket)?;
        self.loaded &= self.connection.wants_write();
        Ok(taken)
    }

    fn wants_transmit(&self) -> bool {
        self.connection.wants_write()
    }

    fn peer(&self) -> Option<&PeerIdentity> {
        self.peer.as_ref()
    }

    fn protocol(&self) -> &'static str {
        match self.connection.protocol_version() {
            Some(ProtocolVersion::TLSv1_2) => "TLSv1.2",
            Some(ProtocolVersion::TLSv1_3) => "TLSv1.3",
            _ => "TLS",
        }
    }

    fn handshake(&self) -> Handshake {
        let version = self.connection.protocol_version().map(|_| self.protocol());
        let suite = self.connection.negotiated_cipher_suite();
        let group = self.connection.negotiated_key_exchange_group();
        let mut handshake = Handshake {
            version,
            suite: suite.map(|suite| format!("{:?}", suite.suite())),
            group: group.map(|group| format!("{:?}", group.name())),
            ..Handshake::default()
        };
        if let Some(glimpse) = &self.glimpse {
            glimpse.tell(&mut handshake);
            handshake.asks_for_certificate = Some(self.is_asked);
        }
        handshake
    }

    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.peer.is_none() {
            // What came with the handshake's last octets waits until it is known from whom.
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.connection.reader().read(into)
    }

    fn write(&mut self, octets: &[u8]) -> usize {
        //= rfc6353#5.3.1-4
        // Behind what the handshake has left to say there is room, so that both leave together.
        if self.peer.is_none() || (self.loaded && self.connection.wants_write()) {
            return 0;
        }
        let taken = self.connection.writer().write(octets).unwrap_or(0);
        self.loaded |= taken > 0;
        taken
    }

    fn close(&mut self) {
        self.connection.send_close_notify();
    }
}

/// Alerts by which a peer refuses our certificate.
const CERTIFICATE_ALERTS: [&str; 8] = [
    "BadCertificate",
    "UnsupportedCertificate",
    "CertificateRevoked",
    "CertificateExpired",
    "CertificateUnknown",
    "UnknownCA",
    "AccessDenied",
    "CertificateRequired",
];

/// Octets that are encrypted at once: a large message, and no more.
const MAX_WAITING: usize = 256 * 1024;
