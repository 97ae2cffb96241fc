//! The SNMP manager: asks agents, and believes only what answers the question.
//!
//! [`Session`] is the protocol without sockets or clock: bytes, requests and the time go in; bytes, results and the
//! next deadline come out. [`Client`] drives one session over a blocking socket. [`Walk`] and
//! the quicker [`FastWalk`] visit subtrees with either.
//!
//! ```no_run
//! use portreeve_manager::{Client, Credentials, Operation, Request, SessionOptions};
//! use portreeve_secret::Secret;
//!
//! let community = Credentials::V2c(Secret::from("public"));
//! let mut client = Client::open(&"udp:127.0.0.1:161".parse()?, community, &SessionOptions::default())?;
//! let sys_up_time = [1, 3, 6, 1, 2, 1, 1, 3, 0];
//! let response = client.request(&Request::read(Operation::Get, [sys_up_time]))?;
//! for bind in response.var_binds().iter() {
//!     println!("{:?}", bind.value);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
pub use credentials::{Credentials, KeyMaterial, UnusableKey, UsmUser};
pub use driver::{Client, ClientError, Statistics, Traffic, WalkFailure};
pub use error::{Ignored, Misuse, Refusal, RequestError};
pub use explain::{Asker, Cause, Diagnosis};
pub use key_cache::KeyCache;
pub use request::{Operation, Request};
pub use response::Response;
pub use retry::RetryPolicy;
pub use session::{Event, Handle, Session, SessionOptions};
pub use walk::{FastWalk, Progress, Question, Walk, WalkEnd, WalkError, WalkOptions};
