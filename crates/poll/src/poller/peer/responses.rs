//! Turns responses into results, or splits a query that the agent cannot answer.

use portreeve_smi::{ErrorStatus, Timestamp, Value};
use portreeve_snmp_manager::{
    self as manager, RequestError, RequestEvent, RequestHandle, Response, WalkError,
};

use super::{InFlightRequest, Peer, PollResult, ResultSubject};
use crate::poller::Change;

impl Peer {
    pub(super) fn handle_events(&mut self, now: Timestamp) {
        while let Some(RequestEvent { handle, result }) = self.session.poll_event() {
            let Some(position) = self.in_flight.iter().position(|(in_flight, _)| *in_flight == handle) else {
                continue;
            };
            match self.in_flight.swap_remove(position).1 {
                InFlightRequest::Instances(query) => self.handle_response(now, query, result),
                InFlightRequest::Subtree(table, query) => {
                    self.handle_walk_response(now, table, query, result)
                }
            }
        }
    }

    fn handle_response(&mut self, now: Timestamp, query: usize, result: Result<Response, RequestError>) {
        let about = ResultSubject::Instances(query);
        let result = match result {
            Ok(response) if response.is_error() && self.split_query(query, &response) => {
                return self.session.recycle(response);
            }
            Ok(response) => {
                let change = self.update(now, query, &response);
                Ok((response, change))
            }
            Err(error) => Err(WalkError::Request(error)),
        };
        self.results.push_back(PollResult { subject: about, outcome: result, rows: Vec::new() });
    }

    fn handle_walk_response(
        &mut self,
        now: Timestamp,
        index: usize,
        query: manager::WalkRequestId,
        result: Result<Response, RequestError>,
    ) {
        let Some(table) = self.tables.get_mut(index) else { return };
        let end = table.accept(query, &result);
        if let Ok(response) = result {
            self.session.recycle(response);
        }
        let Some(end) = end else { return };
        let about = ResultSubject::Subtree(index);
        self.results.push_back(match end {
            Ok(rows) => {
                let (up_time, includes_boots) = self.clock;
                let values = rows.iter().map(|(_, value)| value.as_value());
                let change = table.history.update(now, up_time, includes_boots, values);
                PollResult { subject: about, outcome: Ok((Response::default(), change)), rows }
            }
            Err(error) => PollResult { subject: about, outcome: Err(error), rows: Vec::new() },
        });
        // The walk needs no requests beyond the end of its subtree, so they are canceled.
        let (over, others) = std::mem::take(&mut self.in_flight).into_iter().partition(
            |(_, in_flight)| matches!(in_flight, InFlightRequest::Subtree(table, _) if *table == index),
        );
        self.in_flight = others;
        let over: Vec<(RequestHandle, InFlightRequest)> = over;
        over.into_iter().for_each(|(handle, _)| self.session.cancel(handle));
    }

    fn update(&mut self, now: Timestamp, query: usize, response: &Response) -> Change {
        let Some(query) = self.queries.get_mut(query) else { return Change::default() };
        if response.is_error() {
            return Change::default();
        }
        let mut values = response.var_binds().iter().map(|bind| bind.value);
        let up_time = match values.next() {
            Some(Value::TimeTicks(ticks)) => Some(ticks),
            _ => None,
        };
        let includes_boots = match query.includes_boots().then(|| values.next()).flatten() {
            Some(Value::Integer(includes_boots)) => Some(includes_boots),
            _ => None,
        };
        self.clock = (up_time, includes_boots);
        query.history.update(now, up_time, includes_boots, values)
    }

    /// Splits a query whose response does not fit into one message, and separates an object for
    /// which SNMPv1 rejects the whole query. Returns `false` if splitting does not help.
    fn split_query(&mut self, index: usize, response: &Response) -> bool {
        let query = &self.queries[index];
        let alone = match response.error_status() {
            Some(ErrorStatus::TooBig) => None,
            Some(_) => {
                match response.error_index().and_then(|at| at.checked_sub(1 + query.leading_count())) {
                    Some(at) => Some(at),
                    None => return false,
                }
            }
            None => return false,
        };
        let Some((one, other)) = query.split(alone) else { return false };
        self.queries[index] = one;
        self.queries.push(other);
        self.waiting.push_front(self.queries.len() - 1);
        self.waiting.push_front(index);
        true
    }
}
