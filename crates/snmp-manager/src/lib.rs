//! The SNMP manager: sends requests to agents and accepts only responses that match them.
//!
//! ```text
//!              Request ──────────────▶ Response | RequestError
//!                 │                        ▲
//!   ┌─────────────▼────────────────────────┴───────────────┐   the next request: Walk, FastWalk
//!   │ Session: request-ids, USM, discovery, retransmission │   no socket, clock or randomness
//!   └─────────────┬────────────────────────▲───────────────┘
//!                 │ poll_output            │ handle_input(now, message)
//!   ┌─────────────▼────────────────────────┴───────────────┐
//!   │ Client: one blocking socket; or your own event loop  │
//!   └──────────────────────────────────────────────────────┘
//! ```
//!
//! [`Client`] drives one session over UDP, TCP or a Unix socket and suits most programs; see its
//! methods [`Client::request`], [`Client::send`] and [`Client::walk`]. A program with thousands of
//! agents drives [`Session`]s itself; each can have any number of requests in flight.
//!
//! If an agent *rejects* a request, its error-status is in the [`Response`]. A [`RequestError`]
//! means that no acceptable Response arrived; [`Diagnosis`] turns it into a sentence with the
//! likely remedy.
//!
//! The types for requests and values ([`Secret`], [`Value`], [`AuthProtocol`], …) are re-exported,
//! so that a program needs to depend on this crate only.
//!
//! ```
//! use portreeve_snmp_manager::{Client, Credentials, Operation, Request, Secret, SessionOptions};
//!
//! # let agent = std::net::UdpSocket::bind("127.0.0.1:0")?;
//! # let address = format!("udp:{}", agent.local_addr()?);
//! # std::thread::spawn(move || {
//! #     let mut message = [0; 512];
//! #     let (length, peer) = agent.recv_from(&mut message).unwrap();
//! #     // A GetRequest with a Null becomes a Response with the same Null.
//! #     let pdu = message[..length].iter().position(|octet| *octet == 0xa0).unwrap();
//! #     message[pdu] = 0xa2;
//! #     agent.send_to(&message[..length], peer).unwrap();
//! # });
//! let community = Credentials::V2c(Secret::from("public"));
//! let mut client = Client::open(&address.parse()?, community, &SessionOptions::default())?;
//! let sys_up_time = [1, 3, 6, 1, 2, 1, 1, 3, 0];
//! let response = client.request(&Request::read(Operation::Get, [sys_up_time]))?;
//! for bind in response.var_binds().iter() {
//!     println!("{:?}", bind.value);
//! }
//! # assert_eq!(response.var_binds().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/` contains complete programs: `get`, `walk_table`, `set`, `poll_many` and `v3`. Each
//! takes an address, and starts its own agent if none is given.
//!
//! # Accepted messages
//!
//! A message is accepted as a Response only if its version, community or user, engine, context,
//! security level, request-id and names match the request. Every other message is dropped;
//! [`DropReason`] is the reason why the last one was dropped.

mod address;
mod credentials;
mod driver;
mod drop_reason;
mod error;
mod explain;
mod key_cache;
mod private_file;
mod request;
mod response;
mod retry;
mod sender_engine;
mod session;
mod trap;
mod walk;

pub use address::{AddressError, Family, PeerAddress, Transport};
pub use credentials::{Credentials, KeyMaterial, KeyMaterialError, LocalizedUsers, UsmUser};
pub use driver::{
    Client, ClientError, ClientStatistics, ClientWalkError, Link, LinkInput, Stream, StreamLink, TrapSender,
    WireMessage,
};
pub use drop_reason::DropReason;
pub use error::{InvalidRequestError, RejectReason, RequestError};
pub use explain::{Cause, Diagnosis, SessionIdentity};
pub use key_cache::KeyCache;

// These types of other crates occur in requests and values.
pub use portreeve_crypto::{AuthProtocol, PasswordTooShortError, PrivProtocol};
pub use portreeve_secret::Secret;
pub use portreeve_smi::{
    ClockReading, EngineId, ErrorStatus, Oid, OidBuf, OidRef, OwnedValue, SecurityLevel, Timestamp, Value,
};
pub use portreeve_snmp_message::{TrapV1, VarBind, VarBinds};
pub use request::{Operation, Request};
pub use response::Response;
pub use retry::RetryPolicy;
pub use sender_engine::{SenderEngine, SenderEngineError};
pub use session::{RequestEvent, RequestHandle, Session, SessionOptions};
pub use trap::TrapEncoder;
pub use walk::{FastWalk, Walk, WalkEnd, WalkError, WalkOptions, WalkProgress, WalkRequestId};
