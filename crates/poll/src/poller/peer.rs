//! One target: its session, what of its round is still to be asked, and when to look at it next.

use std::{collections::VecDeque, sync::Arc};

use portreeve_crypto::PasswordTooShort;
use portreeve_manager::{Event, Handle, RequestError, Response, RetryPolicy, Session, SessionOptions};
use portreeve_smi::{ErrorStatus, Timestamp, Value};

use super::{
    Change, Place,
    questions::{Question, questions},
};
use crate::{Credential, Target};

/// A target while it is polled.
pub struct Peer {
    target: Target,
    place: Place,
    session: Session,
    questions: Vec<Question>,
    /// Questions of this round that wait for room in the window.
    waiting: VecDeque<usize>,
    asked: Vec<(Handle, usize)>,
    reports: VecDeque<Report>,
    next_round: Timestamp,
    rounds: u64,
    /// Before this nothing is sent, as the pace has it.
    not_before: Timestamp,
    may_send: bool,
    is_ready: bool,
    alarm: Option<Timestamp>,
}

/// How one request ended.
pub struct Report {
    /// Which question, for [`Peer::names`].
    question: usize,
    /// The objects' values and what they change, or why there are none.
    pub result: Result<(Response, Change), RequestError>,
}

impl Peer {
    /// A target at `place`, polled first at `first`. `seed` is random.
    ///
    /// # Errors
    /// For a pass phrase of fewer than eight octets.
    pub fn new(target: Target, place: Place, first: Timestamp, seed: u64) -> Result<Self, PasswordTooShort> {
        let options = SessionOptions {
            retry: RetryPolicy::adaptive(target.timeout),
            context_name: target.context.clone(),
            ..SessionOptions::default()
        };
        let session = Session::new(target.credential.unlock()?, &options, seed);
        let boots = matches!(&*target.credential, Credential::V3(_));
        Ok(Self {
            questions: questions(&target.objects, target.variables, boots),
            target,
            place,
            session,
            waiting: VecDeque::new(),
            asked: Vec::new(),
            reports: VecDeque::new(),
            next_round: first,
            rounds: 0,
            not_before: Timestamp::ZERO,
            may_send: false,
            is_ready: false,
            alarm: None,
        })
    }

    /// What is polled.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The values of a report with the names of their objects.
    pub fn values<'r>(
        &'r self,
        report: &'r Report,
        response: &'r Response,
    ) -> impl Iterator<Item = (&'r str, Value<'r>)> {
        let question = self.questions.get(report.question);
        let names = question.map_or(&[][..], |question| &question.names);
        let before = question.map_or(0, Question::before);
        names.iter().map(String::as_str).zip(response.var_binds().iter().skip(before).map(|bind| bind.value))
    }

    /// Names of the objects that a report is about.
    pub fn names(&self, report: &Report) -> &[String] {
        self.questions.get(report.question).map_or(&[], |question| &question.names)
    }

    /// How many variables of a report stand before its objects.
    pub(crate) fn leading(&self, report: &Report) -> usize {
        self.questions.get(report.question).map_or(0, Question::before)
    }

    pub(super) fn is_done(&self) -> bool {
        self.rounds > 0 && self.waiting.is_empty() && self.asked.is_empty() && self.reports.is_empty()
    }

    pub(super) fn handle_input(&mut self, now: Timestamp, message: &mut [u8]) {
        self.session.handle_input(now, message);
        // A Report of the agent's may have made the session want to send.
        self.may_send = true;
        self.take_events(now);
    }

    pub(super) fn handle_timeout(&mut self, now: Timestamp) {
        if self.next_round <= now {
            self.begin_round(now);
        }
        if self.session.next_timeout().is_some_and(|at| at <= now) {
            self.session.handle_timeout(now);
            self.may_send = true;
            self.take_events(now);
        }
    }

    pub(super) fn poll_output(&mut self, now: Timestamp, message: &mut Vec<u8>) -> Option<Place> {
        self.is_ready = false;
        if now < self.not_before {
            return None;
        }
        if self.asked.len() < self.target.window
            && let Some(index) = self.waiting.pop_front()
        {
            let handle = self.session.request(&self.questions[index].request);
            self.asked.push((handle, index));
        }
        let sent = self.session.poll_output(now).map(|output| {
            message.clear();
            message.extend_from_slice(output);
        });
        self.may_send = sent.is_some();
        self.take_events(now);
        sent.map(|()| {
            self.not_before = now + self.target.pace;
            self.place
        })
    }

    pub(super) fn poll_report(&mut self) -> Option<Report> {
        self.reports.pop_front()
    }

    pub(super) fn recycle(&mut self, report: Report) {
        if let Ok((response, _)) = report.result {
            self.session.recycle(response);
        }
    }

    pub(super) fn alarm(&self) -> Option<Timestamp> {
        self.alarm
    }

    /// Forgets where the poller has it listed.
    pub(super) fn unschedule(&mut self) {
        self.alarm = None;
    }

    /// Whether it has just become one of those that want to send.
    pub(super) fn enter_ready(&mut self, now: Timestamp) -> bool {
        let wants = self.wants_to_send() && now >= self.not_before && !self.is_ready;
        self.is_ready |= wants;
        wants
    }

    /// When to look at it again, if that is earlier than was said before.
    pub(super) fn rearm(&mut self) -> Option<Timestamp> {
        let paced = (self.wants_to_send() && !self.is_ready).then_some(self.not_before);
        let times = [Some(self.next_round), self.session.next_timeout(), paced];
        let next = times.into_iter().flatten().min()?;
        if self.alarm.is_some_and(|alarm| alarm <= next) {
            return None;
        }
        self.alarm = Some(next);
        self.alarm
    }

    /// Leaves the turns that an earlier list of peers had it wait in.
    pub(super) fn leave_turns(&mut self) {
        self.is_ready = false;
    }

    fn wants_to_send(&self) -> bool {
        self.may_send || (!self.waiting.is_empty() && self.asked.len() < self.target.window)
    }

    /// What the last round has not asked yet is asked now; nothing is asked twice at a time.
    fn begin_round(&mut self, now: Timestamp) {
        self.rounds += 1;
        while self.next_round <= now {
            self.next_round = self.next_round + self.target.interval;
        }
        for index in 0..self.questions.len() {
            let busy = self.waiting.contains(&index) || self.asked.iter().any(|(_, asked)| *asked == index);
            if !busy {
                self.waiting.push_back(index);
            }
        }
    }

    fn take_events(&mut self, now: Timestamp) {
        while let Some(Event { handle, result }) = self.session.poll_event() {
            let Some(position) = self.asked.iter().position(|(asked, _)| *asked == handle) else { continue };
            let (_, question) = self.asked.swap_remove(position);
            match result {
                Ok(response) if response.is_error() && self.narrow(question, &response) => {
                    self.session.recycle(response);
                }
                Ok(response) => {
                    let change = self.absorb(now, question, &response);
                    self.reports.push_back(Report { question, result: Ok((response, change)) });
                }
                Err(error) => self.reports.push_back(Report { question, result: Err(error) }),
            }
        }
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
        let boots = match question.boots.then(|| values.next()).flatten() {
            Some(Value::Integer(boots)) => Some(boots),
            _ => None,
        };
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

/// What results call it.
impl std::fmt::Debug for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&Arc::clone(&self.target.name))
    }
}
