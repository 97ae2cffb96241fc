//! Reports: the messages with which the engine itself responds to rejected messages (RFC 3412 §7.1
//! step 3).

use std::ops::Range;

use portreeve_smi::{SecurityLevel, Timestamp, Value, ber::ForwardWriter};
use portreeve_snmp_message::PduType;

use super::{
    Engine,
    respond::{HEADROOM, var_bind_area},
};
use crate::{
    StateReference,
    message_processing::prepare::{OutgoingPdu, OutgoingSecurity, OutgoingV3, v3_message},
    reject_reason::{RejectReason, ReportSpec},
    report_target::{ReportSecurity, ReportTarget},
    statistics::Counter,
};

impl Engine {
    /// Rejects a request as a whole on behalf of an application, for example because of an unknown
    /// context. Returns the range of the Report in `reply`, if the SNMP version supports Reports.
    pub fn reject(
        &mut self,
        now: Timestamp,
        state: &StateReference,
        request_id: i32,
        reason: RejectReason,
        reply: &mut [u8],
    ) -> Option<Range<usize>> {
        let report = self.count(reason)?;
        let target = ReportTarget::of_request(state, request_id)?;
        self.report(now, report, &target, reply).map(|(range, _)| range)
    }

    /// Increments the counter of the reason and returns the Report to send.
    pub(super) fn count(&self, reason: RejectReason) -> Option<ReportSpec> {
        let consequence = reason.consequence();
        if let Some(counter) = consequence.counter {
            self.statistics.count(counter);
        }
        if reason.is_authentication_failure() {
            self.authentication_failures.set(self.authentication_failures.get() + 1);
        }
        consequence.report
    }

    pub(super) fn report(
        &mut self,
        now: Timestamp,
        report: ReportSpec,
        target: &ReportTarget,
        reply: &mut [u8],
    ) -> Option<(Range<usize>, SecurityLevel)> {
        //= rfc3412#7.1-3c
        let mut instance = report.object.oid();
        instance.push(0).ok()?;
        let value = Value::Counter32(self.statistics.statistics().counter32(report.counter));
        let mut writer = ForwardWriter::new(var_bind_area(reply));
        writer.var_bind(&instance, &value).ok()?;
        let var_binds = HEADROOM..HEADROOM + writer.len();
        let pdu = OutgoingPdu {
            //= rfc3412#7.1-3e
            pdu_type: PduType::Report,
            request_id: target.request_id,
            error_status: 0,
            error_index: 0,
        };
        let security = match &target.security {
            ReportSecurity::Usm { user_name, keys } => OutgoingSecurity::Usm {
                user_name: user_name.as_bytes(),
                keys: keys.as_deref(),
                salt: self.next_salt(),
            },
            ReportSecurity::Tsm => OutgoingSecurity::Tsm,
        };
        //= rfc3412#7.1-3d
        //= rfc3412#7.1-3f
        let level = report.level.unwrap_or(target.level);
        let message = OutgoingV3 {
            msg_id: target.msg_id,
            level,
            context_engine_id: self.local.engine_id.as_bytes(),
            context_name: &[],
            security,
        };
        let range = v3_message(reply, var_binds, pdu, &message, &self.local, now).ok()?;
        if range.len() > target.max_size {
            return None;
        }
        self.statistics.count(Counter::SnmpOutPkts);
        Some((range, level))
    }
}
