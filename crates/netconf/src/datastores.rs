//! The interface between sessions and the datastores.

use portreeve_netconf_message::rpc::{ConfigUse, Operation, OperationName};
use portreeve_netconf_message::rpc_error::RpcError;
use portreeve_yang_text::Progress;
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

    /// Writes the next part of a reply's content. [`Progress::Pause`] lets others run first. At the
    /// end, the writer is in the state in which it began.
    ///
    /// # Errors
    /// If the data cannot be written. If nothing has been sent yet, the reply is the error; else
    /// the session is closed, because a reply cannot be taken back.
    fn write_data(&mut self, data: &mut Self::Data, writer: &mut Writer) -> Result<Progress, DataError>;

    /// Counts octets of the request that a session is sending.
    ///
    /// # Errors
    /// The reason for refusing the request, if all sessions together send too much.
    fn count_octets(&mut self, _session: u32, _octets: u64) -> Result<(), RpcError> {
        Ok(())
    }

    /// Called when nothing of a request is stored any more.
    fn release_octets(&mut self, _session: u32) {}

    /// Called when a request is refused, before or instead of its execution. A result that comes
    /// later is not reported again.
    fn request_refused(&mut self, _session: u32, _operation: OperationName, _errors: &[RpcError]) {}

    /// Called when the reply to a message is known. `is_correct` is false if the message is not a
    /// correct request.
    fn request_ended(&mut self, _session: u32, _is_correct: bool, _has_errors: bool) {}

    /// Releases the locks of a session, and everything else that belongs to it. `is_orderly` is
    /// true if the client has requested the end of the session.
    fn session_closed(&mut self, session: u32, is_orderly: bool);
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
