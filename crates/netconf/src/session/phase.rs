//! The activities of a session, on which its deadlines depend.

/// The activity of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The hello of the client is awaited.
    Hello,
    /// No request has begun, and all replies have been taken.
    Idle,
    /// A request is being received.
    Receiving,
    /// A request is being executed.
    Executing,
    /// A reply is being taken.
    Replying,
    /// The session ends after its output.
    Closing,
}
