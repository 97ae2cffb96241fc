//! A notification of a local program, and what the agent did with it.

use crate::{hex, message::Message};

/// A notification that the agent sends to its targets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubmittedNotification {
    /// The name of the context; empty for the default context.
    pub context_name: Vec<u8>,
    /// sysUpTime in hundredths of a second; `None` for that of the agent.
    pub up_time: Option<u32>,
    /// The variables from snmpTrapOID.0 on: variable bindings in BER, without the header of the
    /// list. The sender has encoded them; the agent checks them.
    pub variables: Vec<u8>,
}

impl SubmittedNotification {
    /// The maximum number of octets of the variables. Messages with them fit into a datagram.
    pub const MAX_VARIABLES_LEN: usize = 60_000;

    pub(crate) fn to_message(&self) -> Message {
        let mut message = Message::new(NOTIFY).with(CONTEXT, &hex::encode(&self.context_name));
        if let Some(up_time) = self.up_time {
            message = message.with(UP_TIME, up_time.to_string().as_bytes());
        }
        message.with(VARIABLES, &hex::encode(&self.variables))
    }

    /// Interprets a message with the word [`NOTIFY`]; `None` if it is invalid or too long.
    pub(crate) fn from_message(message: &Message) -> Option<Self> {
        let up_time = match message.get(UP_TIME) {
            Some(digits) => Some(number(digits)?),
            None => None,
        };
        let notification = Self {
            context_name: hex::decode(message.get(CONTEXT)?)?,
            up_time,
            variables: hex::decode(message.get(VARIABLES)?)?,
        };
        Some(notification).filter(|taken| taken.variables.len() <= Self::MAX_VARIABLES_LEN)
    }
}

/// The targets of a submitted notification, counted. The informs are on the agent's disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotificationOutcome {
    /// The targets that get a trap.
    pub traps: u32,
    /// The targets in whose queues the notification is, on disk.
    pub informs: u32,
    /// The targets to which it must not be sent.
    pub withheld: u32,
    /// The targets whose queues are full.
    pub discarded: u32,
}

impl NotificationOutcome {
    /// Returns the number of targets, all outcomes together.
    pub fn targets(&self) -> u32 {
        let Self { traps, informs, withheld, discarded } = *self;
        [traps, informs, withheld, discarded].into_iter().fold(0, u32::saturating_add)
    }

    pub(crate) fn to_message(self) -> Message {
        let Self { traps, informs, withheld, discarded } = self;
        let fields = [(TRAPS, traps), (INFORMS, informs), (WITHHELD, withheld), (DISCARDED, discarded)];
        fields.into_iter().fold(Message::new(SUBMITTED), |message, (name, count)| {
            message.with(name, count.to_string().as_bytes())
        })
    }

    /// Interprets a message with the word [`SUBMITTED`].
    pub(crate) fn from_message(message: &Message) -> Option<Self> {
        let count = |name| message.get(name).and_then(number);
        Some(Self {
            traps: count(TRAPS)?,
            informs: count(INFORMS)?,
            withheld: count(WITHHELD)?,
            discarded: count(DISCARDED)?,
        })
    }
}

/// Parses decimal digits.
fn number(digits: &[u8]) -> Option<u32> {
    let text = str::from_utf8(digits).ok()?;
    text.bytes().all(|digit| digit.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

pub(crate) const NOTIFY: &str = "notify";
pub(crate) const SUBMITTED: &str = "submitted";
const CONTEXT: &str = "context";
const UP_TIME: &str = "up-time";
const VARIABLES: &str = "variables";
const TRAPS: &str = "traps";
const INFORMS: &str = "informs";
const WITHHELD: &str = "withheld";
const DISCARDED: &str = "discarded";

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> SubmittedNotification {
        SubmittedNotification {
            context_name: b"a\0=\xff".to_vec(),
            up_time: Some(u32::MAX),
            variables: vec![0x30, 0, b'=', 0xff],
        }
    }

    /// Returns the message of [`sample`] with another value of a field, or without the field.
    fn changed(name: &str, value: Option<&[u8]>) -> Option<SubmittedNotification> {
        let message = sample().to_message();
        let fields = [CONTEXT, UP_TIME, VARIABLES].into_iter().filter_map(|field| match field == name {
            true => Some((field, value?.to_vec())),
            false => Some((field, message.get(field)?.to_vec())),
        });
        let message = fields.fold(Message::new(NOTIFY), |message, (name, value)| message.with(name, &value));
        SubmittedNotification::from_message(&message)
    }

    #[test]
    fn notification_is_unchanged_after_encoding_and_decoding() {
        for notification in
            [sample(), SubmittedNotification { up_time: None, ..sample() }, Default::default()]
        {
            let octets = notification.to_message().encode();
            let message = Message::decode(&octets).unwrap();
            assert_eq!(SubmittedNotification::from_message(&message), Some(notification));
        }
    }

    #[test]
    fn notification_with_an_invalid_or_missing_field_is_rejected() {
        assert_eq!(changed("none", None), Some(sample()));
        for (name, value) in [
            (CONTEXT, None),
            (CONTEXT, Some(&b"0"[..])),
            (UP_TIME, Some(b"")),
            (UP_TIME, Some(b"+1")),
            (UP_TIME, Some(b"-1")),
            (UP_TIME, Some(b"4294967296")),
            (VARIABLES, None),
            (VARIABLES, Some(b"3")),
            (VARIABLES, Some(b"zz")),
        ] {
            assert_eq!(changed(name, value), None, "{name}: {value:?}");
        }
    }

    #[test]
    fn variables_are_limited() {
        for (length, is_accepted) in [
            (SubmittedNotification::MAX_VARIABLES_LEN, true),
            (SubmittedNotification::MAX_VARIABLES_LEN + 1, false),
        ] {
            let notification = SubmittedNotification { variables: vec![0; length], ..sample() };
            let decoded = SubmittedNotification::from_message(&notification.to_message());
            assert_eq!(decoded.is_some(), is_accepted, "{length}");
        }
    }

    #[test]
    fn outcome_is_unchanged_after_encoding_and_decoding() {
        let outcome = NotificationOutcome { traps: 1, informs: 2, withheld: 3, discarded: u32::MAX };
        assert_eq!(NotificationOutcome::from_message(&outcome.to_message()), Some(outcome));
        assert_eq!(outcome.targets(), u32::MAX);
        let incomplete = Message::new(SUBMITTED).with(TRAPS, b"1").with(INFORMS, b"1").with(WITHHELD, b"1");
        assert_eq!(NotificationOutcome::from_message(&incomplete), None);
    }
}
