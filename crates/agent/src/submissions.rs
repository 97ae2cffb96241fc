//! Notifications of local programs, which arrive over the control socket.

use std::sync::Arc;

use portreeve_notifier::{NotifierHandle, OutgoingNotification, SubmitError, Submitted};
use portreeve_smi::{Timestamp, ber::BerError};
use portreeve_snmp_message::VarBinds;
use portreeve_transport::Clock;
use tokio::sync::Semaphore;

use crate::{
    control::{Answer, NotificationOutcome, Response, SubmittedNotification},
    notifications::up_time,
};

/// Passes notifications to the notifier, and answers when their informs are on disk.
pub(crate) struct Submissions {
    /// The notifier, unless its queues cannot be used.
    notifier: Option<NotifierHandle>,
    clock: Clock,
    /// The time at which the engine was started.
    started: Timestamp,
    /// Limits the notifications that wait for the disk, so that the connections of other requests
    /// never wait for it.
    pub(crate) places: Arc<Semaphore>,
}

impl Submissions {
    pub(crate) fn new(notifier: Option<NotifierHandle>, clock: Clock, started: Timestamp) -> Self {
        Self { notifier, clock, started, places: Arc::new(Semaphore::new(MAX_WAITING)) }
    }

    /// Submits a notification, and returns at once.
    pub(crate) fn submit(&self, submitted: &SubmittedNotification, answer: Answer) {
        let Some(notifier) = &self.notifier else {
            return answer.send(Response::Refused { reason: NOT_RUNNING.into() });
        };
        let notification = match self.notification(submitted) {
            Ok(notification) => notification,
            Err(reason) => return answer.send(Response::Refused { reason }),
        };
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return answer.send(Response::Busy);
        };
        notifier.submit(notification, move |result| {
            drop(place);
            answer.send(response(result));
        });
    }

    /// Checks what the other program has sent. The notifier checks the meaning of the variables.
    fn notification(&self, submitted: &SubmittedNotification) -> Result<OutgoingNotification, String> {
        let SubmittedNotification { context_name, up_time: given, variables } = submitted;
        if context_name.len() > MAX_CONTEXT_LEN {
            return Err(format!("the context name is longer than {MAX_CONTEXT_LEN} octets"));
        }
        let malformed = |error: BerError| format!("malformed variables: {error}");
        let var_binds = VarBinds::parse_encoded(variables).map_err(malformed)?;
        let up_time = given.unwrap_or_else(|| up_time(self.clock, self.started));
        Ok(OutgoingNotification::submitted(context_name, up_time, var_binds))
    }
}

fn response(result: Result<Submitted, SubmitError>) -> Response {
    let count = |targets: usize| u32::try_from(targets).unwrap_or(u32::MAX);
    match result {
        Ok(Submitted { traps, informs, withheld, discarded }) => Response::Submitted(NotificationOutcome {
            traps: count(traps),
            informs: count(informs),
            withheld: count(withheld),
            discarded: count(discarded),
        }),
        Err(SubmitError::Busy) => Response::Busy,
        Err(error @ SubmitError::Invalid(_)) => Response::Refused { reason: error.to_string() },
        // Traps are sent although the informs are not.
        Err(error @ SubmitError::NotStored(_)) => Response::Interrupted { reason: error.to_string() },
    }
}

/// The maximum number of notifications that wait for the disk. Fewer than the connections of the
/// control socket.
pub(crate) const MAX_WAITING: usize = 32;
/// The maximum length of vacmContextName (RFC 3415).
const MAX_CONTEXT_LEN: usize = 32;
const NOT_RUNNING: &str = "the agent sends no notifications, because it cannot use its queues\n\
    hint: the log of the agent contains the reason";
