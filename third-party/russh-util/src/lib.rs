//! Stands in for the crate of this name that russh spawns its tasks with; the workspace patches it in.
//!
//! Why: the original moves a session's future into an `async` block that awaits it, so each session is stored twice,
//! a dozen kilobytes each time. Here a future is boxed once. And a server's session can be polled by the task that made it,
//! see [`runtime::adopting`]: then it needs no task of its own, and dropping it ends it at once.
//! The interface is the original's; nothing of its text is.

pub mod runtime;
pub mod time;
