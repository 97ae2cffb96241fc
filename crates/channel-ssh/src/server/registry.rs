//! Connects a handler to its [`ConnectionCallbacks`]. russh requires that a handler can move
//! between threads, which the callbacks cannot. So the handler holds a number, and a thread-local
//! table maps it to the callbacks.

use std::{
    cell::{Cell, RefCell},
    net::IpAddr,
    rc::Rc,
    sync::Arc,
};

use portreeve_channel::ChannelStep;
use russh::server::Handle;

use super::{authentication::LoginRefusalReason, callbacks::ConnectionCallbacks, statistics::SshStatistics};
use crate::traffic::WINDOW_OVERFLOW;

/// State shared by a connection's future and its handler.
pub(super) struct ConnectionEntry {
    pub(super) callbacks: Rc<dyn ConnectionCallbacks>,
    /// The russh handle of the connection, once it is set up.
    pub(super) handle: RefCell<Option<Handle>>,
    pub(super) peer: IpAddr,
    pub(super) statistics: Arc<SshStatistics>,
    /// The step that the connection has reached.
    pub(super) step: Cell<ChannelStep>,
    /// Reason for the last refused login.
    pub(super) refusal: Cell<Option<LoginRefusalReason>>,
    /// The protocol violation that ends the connection, if any.
    pub(super) violation: Cell<Option<ProtocolViolation>>,
}

/// Something that a peer must not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProtocolViolation {
    /// Data on a channel before a subsystem is open.
    DataWithoutSubsystem,
    /// A window of more than 2^32-1 octets.
    WindowOverflow,
}

impl ProtocolViolation {
    /// Returns the message for the log and the peer.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::DataWithoutSubsystem => "data on a channel without a subsystem",
            Self::WindowOverflow => WINDOW_OVERFLOW,
        }
    }
}

/// A slot in the table, released on drop.
pub(super) struct Registration {
    number: usize,
    pub(super) entry: Rc<ConnectionEntry>,
}

impl Registration {
    pub(super) fn new(
        callbacks: Rc<dyn ConnectionCallbacks>,
        peer: IpAddr,
        statistics: Arc<SshStatistics>,
    ) -> Self {
        let entry = Rc::new(ConnectionEntry {
            callbacks,
            handle: RefCell::default(),
            peer,
            statistics,
            step: Cell::new(ChannelStep::Negotiate),
            refusal: Cell::default(),
            violation: Cell::default(),
        });
        let number = TABLE.with_borrow_mut(|table| {
            let free = table.iter().position(Option::is_none);
            match free.and_then(|number| table.get_mut(number).map(|slot| (number, slot))) {
                Some((number, slot)) => {
                    *slot = Some(Rc::clone(&entry));
                    number
                }
                None => {
                    table.push(Some(Rc::clone(&entry)));
                    table.len() - 1
                }
            }
        });
        Self { number, entry }
    }

    pub(super) fn number(&self) -> usize {
        self.number
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        // When the thread ends, the table may be destroyed before the registrations.
        let _ = TABLE.try_with(|table| {
            if let Some(slot) = table.borrow_mut().get_mut(self.number) {
                *slot = None;
            }
        });
    }
}

/// Returns the entry with that number; `None` on another thread or after the connection has ended.
pub(super) fn find(number: usize) -> Option<Rc<ConnectionEntry>> {
    TABLE.with_borrow(|table| table.get(number).cloned().flatten())
}

thread_local! {
    static TABLE: RefCell<Vec<Option<Rc<ConnectionEntry>>>> = const { RefCell::new(Vec::new()) };
}
