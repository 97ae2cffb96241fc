//! How a handler, which russh wants to be able to move between threads, finds its [`ConnectionCallbacks`], which cannot: by a number in a
//! table of this thread.

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

/// What a connection's future and its handler share.
pub(super) struct ConnectionEntry {
    pub(super) callbacks: Rc<dyn ConnectionCallbacks>,
    /// The connection from outside.
    pub(super) handle: RefCell<Option<Handle>>,
    pub(super) peer: IpAddr,
    pub(super) statistics: Arc<SshStatistics>,
    /// How far the connection has come.
    pub(super) step: Cell<ChannelStep>,
    /// Why the last attempt to log in was refused.
    pub(super) refusal: Cell<Option<LoginRefusalReason>>,
    /// How the peer has broken the protocol, which ends the connection.
    pub(super) violation: Cell<Option<ProtocolViolation>>,
}

/// What no peer may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProtocolViolation {
    /// Data before there is anybody to take it.
    DataWithoutSubsystem,
    /// A window of more than 2^32-1 octets.
    WindowOverflow,
}

impl ProtocolViolation {
    /// For the log and the peer.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::DataWithoutSubsystem => "data on a channel that has no subsystem",
            Self::WindowOverflow => WINDOW_OVERFLOW,
        }
    }
}

/// A place in the table; dropping it gives it back.
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
        // At the thread's end the table may be gone before its entries' owners.
        let _ = TABLE.try_with(|table| {
            if let Some(slot) = table.borrow_mut().get_mut(self.number) {
                *slot = None;
            }
        });
    }
}

/// The entry with that number; `None` on another thread than its own, or when the connection is over.
pub(super) fn find(number: usize) -> Option<Rc<ConnectionEntry>> {
    TABLE.with_borrow(|table| table.get(number).cloned().flatten())
}

thread_local! {
    static TABLE: RefCell<Vec<Option<Rc<ConnectionEntry>>>> = const { RefCell::new(Vec::new()) };
}
