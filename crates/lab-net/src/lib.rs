//! Networks for the lab's experiments, which leave nothing behind.
//!
//! ```text
//!  manager's namespace        observer's namespace           agent's namespace
//!  ┌───────────────┐     ┌─────────────────────────────┐     ┌──────────────┐
//!  │ lab0 ◀────────┼─────┼─▶ manager ◀─bridge─▶ agent ◀─┼─────┼────────▶ lab0 │
//!  └───────────────┘     └──────▲───────────────▲──────┘     └──────────────┘
//!                            Capture: frames as their sender sent them
//! ```
//! - [`Topology`] creates the namespaces, and [`Place`] runs programs and threads in one of them.
//! - [`Pair`] is the network of `lab bench`: two namespaces without an observer.
//! - [`Link`] describes loss, rate and delay between them.
//! - [`Capture`] observes the frames, [`Packet`] decodes them, and [`pcap`] reads and writes files.
//! - [`InterfaceKind`] fills the agent's table of interfaces.
//! - [`CpuQuota`] slows a process down.
//! - [`Cleaner`] removes everything, even if the lab is killed.
//!
//! Everything except a topology on loopback needs root. An error that is
//! [`Unavailable`](NetError::Unavailable) states why this machine cannot do it.

mod capture;
mod cleaner;
mod error;
mod interfaces;
mod link;
mod packet;
mod pair;
pub mod pcap;
mod place;
mod program;
mod quota;
mod topology;

pub use capture::{Capture, Captured, Detail, Direction, FragmentPorts, FrameRecord, MAX_RECORDS, Totals};
pub use cleaner::{Cleaner, Leftovers, ScratchDirectory, run_clean_up_process};
pub use error::{NetError, Result};
pub use interfaces::InterfaceKind;
pub use link::{Link, LinkMethods, Loss, LostFrames, Method};
pub use packet::{
    DecodeError, Fragment, LinkType, MAX_EXTENSIONS, MAX_TAGS, Packet, Tcp, TcpFlags, Transport,
};
pub use pair::Pair;
pub use place::Place;
pub use quota::{CpuQuota, Throttling};
pub use topology::{Topology, interface_to};
