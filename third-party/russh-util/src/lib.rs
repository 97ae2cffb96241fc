//! Replaces the crate of this name, with which russh spawns its tasks. The workspace patches it in.
//!
//! The original moves a session's future into an `async` block that awaits it, which stores each
//! session twice, a dozen kilobytes each time. Here a future is boxed once. In addition, the task
//! that created a server session can poll it itself, see [`runtime::adopting`]: the session then
//! needs no task of its own, and dropping it ends it at once. The interface is that of the
//! original. No code of the original is used.

pub mod runtime;
pub mod time;
