//! Where a connection's calls and its task meet.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;

use portreeve_channel::PeerIdentity;
use portreeve_channel_ssh::server::{ChannelNumber, Host, Onward, Output, Remote};

use crate::conversation::{Conversation, Pause, Wire};
use crate::handler::MessageHandler;
use crate::outbox::Outbox;
use crate::statistics::CloseReason;
use crate::worker::Scratch;

/// One connection's session, called from both sides on one thread, never from both at once.
pub(super) struct Hall<H: MessageHandler> {
    pub(super) conversation: RefCell<Conversation<H>>,
    pub(super) outbox: Rc<Outbox>,
    pub(super) remote: RefCell<Option<Remote>>,
    pub(super) channel: Cell<Option<ChannelNumber>>,
    /// Why the session is over.
    pub(super) ended: Cell<Option<CloseReason>>,
    /// Something is left to do for the task.
    pub(super) unfinished: Cell<bool>,
}

impl<H: MessageHandler> Hall<H> {
    pub(super) fn new(conversation: Conversation<H>) -> Self {
        Self {
            outbox: Rc::clone(conversation.outbox()),
            conversation: RefCell::new(conversation),
            remote: RefCell::default(),
            channel: Cell::default(),
            ended: Cell::default(),
            unfinished: Cell::default(),
        }
    }

    /// What can be done without a call of the connection: answers that took time, messages that had to wait. Returns what is
    /// to be sent.
    pub(super) fn take_turn(&self) -> Vec<u8> {
        self.unfinished.set(false);
        let mut relay = Relay::default();
        let result = self.conversation.borrow_mut().take_turn(&mut relay);
        self.note(result);
        relay.0
    }

    /// Keeps what a call brought about.
    fn note(&self, result: Result<Pause, CloseReason>) {
        match result {
            Ok(Pause::Turn) => self.unfinished.set(true),
            Ok(Pause::Incomplete | Pause::Congested) => {}
            Err(reason) => self.end(reason),
        }
    }

    /// The first reason counts.
    pub(super) fn end(&self, reason: CloseReason) {
        if self.ended.get().is_none() {
            self.ended.set(Some(reason));
        }
    }

    /// After a call: whether it goes on, and whether the task has to.
    fn onward(&self, output: &Output<'_>, result: Result<Pause, CloseReason>) -> Onward {
        self.note(result);
        if self.conversation.borrow().backlog() > BACKLOG {
            self.end(CloseReason::Stalled);
        }
        match self.ended.get() {
            None => {
                // Nothing waits for the window, but more is to be done: when the socket has had its turn.
                if output.is_congested() && !output.waits() {
                    self.unfinished.set(true);
                }
                Onward::Open
            }
            Some(CloseReason::ByPeer) => Onward::CloseChannel,
            Some(_) => Onward::Disconnect,
        }
    }
}

impl<H: MessageHandler> Host for Hall<H> {
    fn connected(&self, remote: Remote) {
        self.remote.replace(Some(remote));
    }

    fn authenticated(&self, peer: &PeerIdentity) -> bool {
        let named = self.conversation.borrow_mut().identify(peer);
        named.map_err(|reason| self.end(reason)).is_ok()
    }

    fn open(&self, channel: ChannelNumber, subsystem: &str) -> bool {
        //= rfc5592#5.3-6
        if subsystem != SUBSYSTEM || self.channel.get().is_some() || self.ended.get().is_some() {
            return false;
        }
        self.channel.set(Some(channel));
        true
    }

    fn receive(&self, output: &mut Output<'_>, octets: &[u8]) -> Onward {
        if self.ended.get().is_some() {
            return Onward::Open;
        }
        let mut conversation = self.conversation.borrow_mut();
        let worker = Rc::clone(&conversation.worker);
        let mut scratch = worker.scratch.borrow_mut();
        let Scratch { input, reply } = &mut *scratch;
        let mut result = Ok(Pause::Incomplete);
        for part in octets.chunks(input.len().max(1)) {
            let Some(arrived) = input.get_mut(..part.len()) else { break };
            arrived.copy_from_slice(part);
            result = conversation.take_in(output, arrived, reply);
            if result.is_err() {
                break;
            }
        }
        drop((scratch, conversation));
        self.onward(output, result)
    }

    fn writable(&self, output: &mut Output<'_>) -> Onward {
        if self.ended.get().is_some() {
            return Onward::Open;
        }
        let mut conversation = self.conversation.borrow_mut();
        conversation.took_some();
        let result = conversation.take_turn(output);
        drop(conversation);
        self.onward(output, result)
    }

    fn ended(&self, output: &mut Output<'_>) -> Onward {
        if self.ended.get().is_some() {
            return Onward::Open;
        }
        let mut conversation = self.conversation.borrow_mut();
        conversation.ended_by_peer();
        let result = conversation.take_turn(output);
        drop(conversation);
        self.onward(output, result)
    }

    fn closed(&self, _channel: ChannelNumber) {
        self.end(self.conversation.borrow().reason_of_end());
    }

    fn is_congested(&self, _channel: ChannelNumber) -> bool {
        self.conversation.borrow().backlog() > CONGESTED
    }
}

impl Wire for Output<'_> {
    fn try_write(&mut self, octets: &[u8]) -> io::Result<usize> {
        Output::try_write(self, octets)
    }

    fn is_congested(&self) -> bool {
        Output::is_congested(self)
    }

    fn flush(&mut self) -> io::Result<()> {
        if Output::is_congested(self) { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
    }
}

/// Collects what is to be sent from outside the connection's calls, whole messages, so that none that is answered within a call
/// comes in between. How much the peer has room for is not looked at: the connection takes the next burst when the one before has
/// left, and no request while something waits for room.
#[derive(Default)]
struct Relay(Vec<u8>);

impl Wire for Relay {
    fn try_write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if self.is_congested() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.0.extend_from_slice(octets);
        Ok(octets.len())
    }

    fn is_congested(&self) -> bool {
        self.0.len() >= BURST
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_congested() { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
    }
}

/// The subsystem's name (RFC 5592 §3.3).
const SUBSYSTEM: &str = "snmp";
/// Octets that wait to be handled from which on the peer may send a trickle only.
const CONGESTED: usize = 64 * 1024;
/// Octets that wait to be handled which no peer keeping to its window can reach.
const BACKLOG: usize = 1 << 20;
/// Octets handed over at once.
const BURST: usize = 64 * 1024;
