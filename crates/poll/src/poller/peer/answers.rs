//! What the agent says: taken for a report, or asked again in smaller parts.

use portreeve_smi::{ErrorStatus, Timestamp, Value};
use portreeve_snmp_manager::{self as manager, Event, Handle, RequestError, Response, WalkError};

use super::{About, Asked, Peer, Report};
use crate::poller::Change;

impl Peer {
    pub(super) fn take_events(&mut self, now: Timestamp) {
        while let Some(Event { handle, result }) = self.session.poll_event() {
            let Some(position) = self.asked.iter().position(|(asked, _)| *asked == handle) else { continue };
            match self.asked.swap_remove(position).1 {
                Asked::Instances(question) => self.take_answer(now, question, result),
                Asked::Subtree(table, question) => self.take_rows(now, table, question, result),
            }
        }
    }

    fn take_answer(&mut self, now: Timestamp, question: usize, result: Result<Response, RequestError>) {
        let about = About::Instances(question);
        let result = match result {
            Ok(response) if response.is_error() && self.narrow(question, &response) => {
                return self.session.recycle(response);
            }
            Ok(response) => {
                let change = self.absorb(now, question, &response);
                Ok((response, change))
            }
            Err(error) => Err(WalkError::Unanswered(error)),
        };
        self.reports.push_back(Report { about, result, rows: Vec::new() });
    }

    fn take_rows(
        &mut self,
        now: Timestamp,
        index: usize,
        question: manager::Question,
        result: Result<Response, RequestError>,
    ) {
        let Some(table) = self.tables.get_mut(index) else { return };
        let end = table.accept(question, &result);
        if let Ok(response) = result {
            self.session.recycle(response);
        }
        let Some(end) = end else { return };
        let about = About::Subtree(index);
        self.reports.push_back(match end {
            Ok(rows) => {
                let (up_time, boots) = self.clock;
                let values = rows.iter().map(|(_, value)| value.as_value());
                let change = table.history.absorb(now, up_time, boots, values);
                Report { about, result: Ok((Response::default(), change)), rows }
            }
            Err(error) => Report { about, result: Err(error), rows: Vec::new() },
        });
        // Questions beyond the subtree's end are for nobody.
        let (over, others) = std::mem::take(&mut self.asked)
            .into_iter()
            .partition(|(_, asked)| matches!(asked, Asked::Subtree(table, _) if *table == index));
        self.asked = others;
        let over: Vec<(Handle, Asked)> = over;
        over.into_iter().for_each(|(handle, _)| self.session.forget(handle));
    }

    fn absorb(&mut self, now: Timestamp, question: usize, response: &Response) -> Change {
        let Some(question) = self.questions.get_mut(question) else { return Change::default() };
        if response.is_error() {
            return Change::default();
        }
        let mut values = response.var_binds().iter().map(|bind| bind.value);
        let up_time = match values.next() {
            Some(Value::TimeTicks(ticks)) => Some(ticks),
            _ => None,
        };
        let boots = match question.boots().then(|| values.next()).flatten() {
            Some(Value::Integer(boots)) => Some(boots),
            _ => None,
        };
        self.clock = (up_time, boots);
        question.history.absorb(now, up_time, boots, values)
    }

    /// Asks for less at a time where the agent cannot put the answer into one message, and for an object that SNMPv1
    /// rejects the whole question for, alone. `false` where that would not help.
    fn narrow(&mut self, index: usize, response: &Response) -> bool {
        let question = &self.questions[index];
        let alone = match response.error_status() {
            Some(ErrorStatus::TooBig) => None,
            Some(_) => match response.error_index().and_then(|at| at.checked_sub(1 + question.before())) {
                Some(at) => Some(at),
                None => return false,
            },
            None => return false,
        };
        let Some((one, other)) = question.split(alone) else { return false };
        self.questions[index] = one;
        self.questions.push(other);
        self.waiting.push_front(self.questions.len() - 1);
        self.waiting.push_front(index);
        true
    }
}
