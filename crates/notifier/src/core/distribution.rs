//! The distribution of a notification to the targets that the tables select.

use std::rc::Rc;

use portreeve_lcd::{Name, NotifyType};
use portreeve_snmp_apps::{Notification, Recipient, WithheldReason, recipients};

use super::Core;
use crate::{
    OutgoingNotification, SubmitError, Submitted,
    destination::TargetRows,
    target::{Target, WaitingTrap},
};

impl Core {
    /// Passes traps to their targets, and returns the targets that get an inform. `except` gets
    /// nothing.
    pub(super) fn distribute(
        self: &Rc<Self>,
        content: &OutgoingNotification,
        except: Option<&Name>,
    ) -> Result<(Submitted, Vec<Rc<Target>>), SubmitError> {
        let state = self.state();
        let notification = Notification::new(&content.context_name, content.var_binds());
        let notification = notification.map_err(SubmitError::Invalid)?;
        let selected = recipients(&state.lcd, &self.local.engine_id, &notification);
        let mut submitted = Submitted { withheld: selected.withheld.len(), ..Submitted::default() };
        for withheld in &selected.withheld {
            self.withhold(&withheld.address.key.name, &withheld.reason);
        }
        let mut informs = Vec::new();
        let is_excepted = |recipient: &&Recipient<'_>| Some(&recipient.address.key.name) == except;
        for recipient in selected.chosen.iter().filter(|recipient| !is_excepted(recipient)) {
            match recipient.kind {
                NotifyType::Trap => {
                    submitted.traps += 1;
                    self.push_trap(recipient, content, false);
                }
                NotifyType::Inform => informs.push(self.target(&recipient.address.key.name)),
            }
        }
        Ok((submitted, informs))
    }

    pub(super) fn withhold(self: &Rc<Self>, name: &Name, reason: &WithheldReason) {
        self.withheld.set(self.withheld.get() + 1);
        // A filter is meant to withhold notifications; the other reasons may be mistakes.
        if !matches!(reason, WithheldReason::Filtered(_)) {
            self.target(name).set_error(self.wall_time(), &format!("withheld: {reason}"));
        }
    }

    pub(super) fn push_trap(
        self: &Rc<Self>,
        recipient: &Recipient<'_>,
        content: &OutgoingNotification,
        is_fallback: bool,
    ) {
        let target = self.target(&recipient.address.key.name);
        let rows = TargetRows::from(recipient);
        target.push_trap(WaitingTrap { rows, content: content.clone(), is_fallback });
    }
}
