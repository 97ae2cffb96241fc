//! NETCONF in one session, on the side of its worker.

use std::{sync::Arc, time::Duration};

use portreeve_netconf::Phase;
use portreeve_transport::{
    Awaited, CloseReason, Progress, Received, SessionOutput, SessionProtocol, SessionSource,
};

use super::{
    event_queue::{Event, EventQueue},
    pipe::{Condition, NoOutput, Pipe},
    session_place::SessionPlace,
};

/// NETCONF in one session.
pub(super) struct NetconfSession {
    /// The number that the transport has given the session.
    pub(super) session: u64,
    pub(super) pipe: Pipe,
    pub(super) events: Arc<EventQueue>,
    /// The maximum idle time while the session holds a lock.
    pub(super) lock_idle: Duration,
    /// True if the end of the session was reported.
    pub(super) is_finished: bool,
    pub(super) _place: SessionPlace,
}

impl SessionProtocol for NetconfSession {
    fn receive(
        &mut self,
        _: &SessionSource,
        input: &mut [u8],
        _: &mut SessionOutput<'_>,
    ) -> Result<Received, CloseReason> {
        let (octets, must_schedule) = self.pipe.write(input);
        if must_schedule {
            self.events.push(Event::Ready(self.session));
        }
        Ok(Received { octets, progress: Progress::None })
    }

    fn wants_input(&self) -> bool {
        self.pipe.has_room()
    }

    fn produce(&mut self, output: &mut SessionOutput<'_>) -> Result<bool, CloseReason> {
        match self.pipe.take_output() {
            Ok((piece, must_schedule)) => {
                if must_schedule {
                    self.events.push(Event::Ready(self.session));
                }
                output.send(&piece);
                Ok(true)
            }
            Err(NoOutput::None) => Ok(false),
            Err(NoOutput::Closed(reason)) => Err(reason),
        }
    }

    fn has_unanswered_messages(&self) -> bool {
        self.pipe.has_unanswered()
    }

    fn take_progress(&mut self) -> Progress {
        if !self.is_finished && self.pipe.is_finished() {
            self.is_finished = true;
            return Progress::Last;
        }
        if self.pipe.take_progress() { Progress::Accepted } else { Progress::None }
    }

    fn awaited(&self) -> Awaited {
        let Some(Condition { phase, holds_lock }) = self.pipe.condition() else { return Awaited::Any };
        match phase {
            Phase::Receiving => Awaited::RestOfMessage,
            Phase::Idle if holds_lock => Awaited::MessageWithin(self.lock_idle),
            Phase::Hello | Phase::Idle | Phase::Executing | Phase::Replying | Phase::Closing => Awaited::Any,
        }
    }

    fn closed(&mut self, _: &SessionSource, _: CloseReason) {
        self.events.push(Event::Closed(self.session));
    }
}
