//! The SNMP manager: asks agents, and believes only what answers the question.
//!
//! ```text
//!              Request ──────────────▶ Response | RequestError
//!                 │                        ▲
//!   ┌─────────────▼────────────────────────┴──────────────┐   what to ask next: Walk, FastWalk
//!   │ Session: request-ids, USM, discovery, retransmission │   no socket, no clock, no randomness
//!   └─────────────┬────────────────────────▲──────────────┘
//!                 │ poll_output            │ handle_input(now, message)
//!   ┌─────────────▼────────────────────────┴──────────────┐
//!   │ Client: one blocking socket; or a loop of your own    │
//!   └───────────────────────────────────────────────────────┘
//! ```
//!
//! [`Client`] drives one session over UDP or TCP and is what most programs want; see its methods [`Client::request`],
//! [`Client::send`] and [`Client::walk`]. A program with thousands of agents drives [`Session`]s itself: any number of
//! requests may be on their way in each.
//!
//! Whether an agent *refused* a request is in the [`Response`]: an error-status is an answer. Only where no acceptable
//! answer came is there a [`RequestError`]; [`Diagnosis`] makes a sentence with the likely remedy of it.
//!
//! What else is needed to speak of requests and values ([`Secret`], [`Value`], [`AuthProtocol`], …) can be had from
//! here, so that this crate is the only one to depend on.
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
//! `examples/` has whole programs: `get`, `walk_table`, `set`, `poll_many` and `v3`. Each takes an address, and brings an
//! agent along where none is given.
//!
//! # What is believed
//!
//! A message is an answer only if version, community or user, engine, context, security level, request-id and names
//! fit what was asked; anything else is counted, never returned, and [`DropReason`] says what was wrong with the last.

mod address;
mod credentials;
mod driver;
mod error;
mod explain;
mod key_cache;
mod request;
mod response;
mod retry;
mod session;
mod walk;

pub use address::{AddressError, Family, PeerAddress, Transport};
pub use credentials::{Credentials, KeyMaterial, KeyMaterialError, UsmUser};
pub use driver::{
    Client, ClientError, ClientStatistics, ClientWalkError, Link, LinkInput, Stream, StreamLink, WireMessage,
};
pub use error::{DropReason, InvalidRequestError, RejectReason, RequestError};
pub use explain::{Cause, Diagnosis, SessionIdentity};
pub use key_cache::KeyCache;

// Of our own crates, what requests and values are spoken of with.
pub use portreeve_crypto::{AuthProtocol, PasswordTooShortError, PrivProtocol};
pub use portreeve_secret::Secret;
pub use portreeve_smi::{
    ClockReading, EngineId, ErrorStatus, Oid, OidBuf, OidRef, OwnedValue, SecurityLevel, Timestamp, Value,
};
pub use portreeve_snmp_message::{VarBind, VarBinds};
pub use request::{Operation, Request};
pub use response::Response;
pub use retry::RetryPolicy;
pub use session::{RequestEvent, RequestHandle, Session, SessionOptions};
pub use walk::{FastWalk, Walk, WalkEnd, WalkError, WalkOptions, WalkProgress, WalkRequestId};
