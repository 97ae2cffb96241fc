//! The interface between sessions and the datastores.

use portreeve_netconf_message::rpc::{ConfigUse, Operation, OperationName};
use portreeve_netconf_message::rpc_error::RpcError;
use portreeve_yang_text::xml::{Event, Start, Writer};

/// Executes the requests of sessions.
pub trait Datastores {
    /// The content of a `config` element that is being read.
    type Config;
    /// The data of a reply that is being written, from one snapshot.
    type Data;

    /// Decides whether a session may request an operation, before its parameters are read.
    ///
    /// # Errors
    /// The reason for refusing the request.
    fn begin_operation(&mut self, session: u32, operation: OperationName) -> Result<(), RpcError>;

    /// Begins to read the content of `config`.
    ///
    /// # Errors
    /// The reason for refusing the request.
    fn begin_config(
        &mut self,
        session: u32,
        config: ConfigUse,
        start: Start<'_>,
    ) -> Result<Self::Config, RpcError>;

    /// Reads an event within `config`.
    ///
    /// # Errors
    /// The reason for refusing the request.
    fn config_event(&mut self, config: &mut Self::Config, event: Event<'_>) -> Result<(), RpcError>;

    /// Executes a request. `config` is the content of `config`, if the request has one.
    /// `close-session` is not executed; [`Self::session_closed`] follows instead.
    fn execute(
        &mut self,
        session: u32,
        operation: Operation,
        config: Option<Self::Config>,
    ) -> Execution<Self::Data>;

    /// Writes the next part of a reply's content, at most a few kilobytes. Returns false after the
    /// last part. The writer ends in the state in which it began.
    ///
    /// # Errors
    /// If the data cannot be written. If nothing has been sent yet, the reply is the error; else
    /// the session is closed, because a reply cannot be taken back.
    fn write_data(&mut self, data: &mut Self::Data, writer: &mut Writer) -> Result<bool, DataError>;

    /// Releases the locks of a session, and everything else that belongs to it.
    fn session_closed(&mut self, session: u32);
}

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Execution<D> {
    /// The reply is `ok`.
    Ok,
    /// The reply contains these errors, at least one.
    Failed(Vec<RpcError>),
    /// The reply contains data, which [`Datastores::write_data`] writes.
    Data(D),
    /// The result follows by [`Session::complete`](crate::Session::complete).
    Later,
}

/// The data of a reply cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError(pub RpcError);
