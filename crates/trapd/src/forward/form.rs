//! The form of the messages in which a notification is forwarded.

use portreeve_secret::Secret;
use portreeve_smi::MessageProcessingModel;

use super::{ForwardCredentials, ForwardDestination, ForwardError, ForwardKind, ForwardedNotification};
use crate::NotificationKind;

/// The properties of a message that determine which connection carries it, and in which queue it
/// waits.
#[derive(PartialEq, Eq)]
pub(super) struct MessageForm {
    pub(super) version: MessageProcessingModel,
    /// The community of the received message, if it is used.
    pub(super) community: Option<Secret>,
    pub(super) is_confirmed: bool,
}

impl MessageForm {
    /// Returns the form of a forwarded message.
    ///
    /// # Errors
    /// The destination needs a community, and the notification has none.
    pub(super) fn of(
        destination: &ForwardDestination,
        notification: ForwardedNotification<'_>,
    ) -> Result<Self, ForwardError> {
        let ForwardDestination { credentials, kind, .. } = destination;
        let (version, community) = match (credentials, notification.community) {
            (ForwardCredentials::V1(_), _) => (MessageProcessingModel::V1, None),
            (ForwardCredentials::V2c(_), _) => (MessageProcessingModel::V2c, None),
            (ForwardCredentials::V3(_) | ForwardCredentials::Session(_), _) => {
                (MessageProcessingModel::V3, None)
            }
            (ForwardCredentials::AsReceived, Some(community)) => {
                (notification.version, Some(Secret::from(community)))
            }
            (ForwardCredentials::AsReceived, None) => return Err(ForwardError::NoCredentials),
        };
        let is_confirmed = match kind {
            ForwardKind::Trap => false,
            ForwardKind::Inform => true,
            ForwardKind::AsReceived => matches!(notification.kind, NotificationKind::Inform(_)),
        };
        let is_confirmed = is_confirmed && version != MessageProcessingModel::V1;
        Ok(Self { version, community, is_confirmed })
    }
}
