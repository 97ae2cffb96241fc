//! One TLS channel, client or server side.

use std::{
    io::{self, Read, Write},
    sync::Arc,
};

use portreeve_channel::{ChannelError, ChannelStep, Handshake, PeerIdentity, SecureStream};
use rustls::{
    AlertDescription, ClientConnection, Connection, Error, HandshakeKind, InvalidMessage, ProtocolVersion,
    ServerConnection, pki_types::ServerName,
};

use crate::{
    alert::from_certificate_error,
    compatibility_record,
    handshake_tap::HandshakeTap,
    mutual_auth::{SessionCache, detect_certificate_request},
    verifier::PeerVerifier,
};

/// A rustls connection and the verified identity of its peer.
pub(crate) struct TlsChannel {
    connection: Connection,
    verifier: Arc<PeerVerifier>,
    /// Set on a client: the name that the server's certificate must contain, and the sessions that
    /// may be resumed.
    client: Option<(ServerName<'static>, SessionCache)>,
    /// Set once the server has requested a client certificate.
    is_certificate_requested: bool,
    peer: Option<PeerIdentity>,
    /// Set on a client while only the record for middleboxes is waiting, which is not sent alone.
    waits_for_flight: bool,
    /// Set while application data is among the ciphertext waiting to be sent.
    has_app_data: bool,
    /// Records the server's certificates, if the handshake is observed.
    tap: Option<HandshakeTap>,
}

impl TlsChannel {
    pub(crate) fn server(connection: ServerConnection, verifier: Arc<PeerVerifier>) -> Self {
        Self::new(connection.into(), verifier, None)
    }

    pub(crate) fn client(
        connection: ClientConnection,
        verifier: Arc<PeerVerifier>,
        name: ServerName<'static>,
        sessions: SessionCache,
    ) -> Self {
        Self::new(connection.into(), verifier, Some((name, sessions)))
    }

    fn new(
        mut connection: Connection,
        verifier: Arc<PeerVerifier>,
        client: Option<(ServerName<'static>, SessionCache)>,
    ) -> Self {
        connection.set_buffer_limit(Some(MAX_BUFFERED));
        Self {
            connection,
            verifier,
            client,
            is_certificate_requested: false,
            peer: None,
            waits_for_flight: false,
            has_app_data: false,
            tap: None,
        }
    }

    pub(crate) fn with_tap(self, tap: HandshakeTap) -> Self {
        Self { tap: Some(tap), ..self }
    }

    /// Verifies the peer after the handshake. rustls has already checked that the peer holds the
    /// private key, either in this handshake or when the resumed session began.
    fn identify(&mut self) -> Result<(), ChannelError> {
        let chain = self.connection.peer_certificates().unwrap_or_default();
        let name = self.client.as_ref().map(|(name, _)| name);
        let identity = self.verifier.identify(chain, name).map_err(|error| error.at(self.peer_step()))?;
        if let Some((name, sessions)) = &self.client
            && !self.is_certificate_requested
            && self.connection.handshake_kind() != Some(HandshakeKind::Resumed)
        {
            sessions.forget(name);
            return Err(ChannelError::no_certificate_requested());
        }
        self.peer = Some(PeerIdentity::Certificate(identity));
        Ok(())
    }

    /// Returns the step in which the peer's certificate is verified.
    fn peer_step(&self) -> ChannelStep {
        match self.connection {
            Connection::Client(_) => ChannelStep::ServerIdentity,
            Connection::Server(_) => ChannelStep::ClientIdentity,
        }
    }

    /// Returns the step in which the peer verifies our certificate.
    fn own_step(&self) -> ChannelStep {
        match self.connection {
            Connection::Client(_) => ChannelStep::ClientIdentity,
            Connection::Server(_) => ChannelStep::ServerIdentity,
        }
    }

    fn to_channel_error(&self, error: &Error) -> ChannelError {
        match error {
            Error::InvalidCertificate(found) => from_certificate_error(found).at(self.peer_step()),
            Error::NoCertificatesPresented => portreeve_x509::TrustError::NoCertificate.at(self.peer_step()),
            Error::AlertReceived(alert) => {
                let alert_name = format!("{alert:?}");
                let is_certificate_alert = CERTIFICATE_ALERTS.contains(&alert_name.as_str());
                let step = if is_certificate_alert {
                    self.own_step()
                } else if self.peer.is_some() {
                    ChannelStep::Data
                } else {
                    ChannelStep::Negotiate
                };
                let error = ChannelError::at(step, format!("the peer sent the alert {alert_name}"));
                if is_certificate_alert {
                    error.with_hint(portreeve_x509::hint_for_alert((*alert).into()))
                } else if matches!(
                    alert,
                    AlertDescription::ProtocolVersion | AlertDescription::HandshakeFailure
                ) {
                    error.with_hint(COMMON_VERSION_HINT)
                } else {
                    error
                }
            }
            Error::PeerIncompatible(reason) => {
                ChannelError::at(ChannelStep::Negotiate, format!("{reason:?}")).with_hint(COMMON_VERSION_HINT)
            }
            Error::InvalidMessage(InvalidMessage::HandshakePayloadTooLarge) => {
                ChannelError::at(ChannelStep::Negotiate, "the peer sent handshake messages that are too long")
            }
            Error::InvalidMessage(_) if self.peer.is_none() => {
                ChannelError::at(ChannelStep::Negotiate, "the peer does not speak TLS")
                    .with_hint("check which protocol the peer uses on that port")
            }
            other if self.peer.is_some() => ChannelError::at(ChannelStep::Data, other.to_string()),
            other => ChannelError::at(ChannelStep::Negotiate, other.to_string()),
        }
    }
}

impl SecureStream for TlsChannel {
    fn receive(&mut self, socket: &mut dyn Read) -> Result<io::Result<usize>, ChannelError> {
        let count = match self.connection.read_tls(socket) {
            Ok(count) => count,
            Err(error) => return Ok(Err(error)),
        };
        self.waits_for_flight = false;
        let (processed, is_requested) = detect_certificate_request(|| self.connection.process_new_packets());
        self.is_certificate_requested |= is_requested;
        if let Err(error) = processed {
            return Err(self.to_channel_error(&error));
        }
        self.waits_for_flight = self.client.is_some()
            && self.connection.is_handshaking()
            && compatibility_record::is_only_output(&mut self.connection);
        if self.peer.is_none() && !self.connection.is_handshaking() {
            self.identify()?;
        }
        Ok(Ok(count))
    }

    fn transmit(&mut self, socket: &mut dyn Write) -> io::Result<usize> {
        let written = self.connection.write_tls(socket)?;
        self.has_app_data &= self.connection.wants_write();
        Ok(written)
    }

    fn wants_transmit(&self) -> bool {
        self.connection.wants_write() && !self.waits_for_flight
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
        if let Some(tap) = &self.tap {
            tap.fill(&mut handshake);
            handshake.requests_client_certificate = Some(self.is_certificate_requested);
        }
        handshake
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.peer.is_none() {
            // Data that arrived with the last handshake octets waits until the peer is identified.
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.connection.reader().read(buffer)
    }

    fn write(&mut self, octets: &[u8]) -> usize {
        //= rfc6353#5.3.1-4
        // Application data is accepted while handshake octets wait, so that both are sent together,
        // but not while other application data waits.
        if self.peer.is_none() || (self.has_app_data && self.connection.wants_write()) {
            return 0;
        }
        let written = self.connection.writer().write(octets).unwrap_or(0);
        self.has_app_data |= written > 0;
        written
    }

    fn close(&mut self) {
        self.waits_for_flight = false;
        self.connection.send_close_notify();
    }
}

const COMMON_VERSION_HINT: &str = "both sides must support TLS 1.2 or 1.3 with a common AEAD cipher suite";

/// Alerts with which a peer rejects our certificate.
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

/// The maximum number of octets that are encrypted ahead: room for one large message.
const MAX_BUFFERED: usize = 256 * 1024;
