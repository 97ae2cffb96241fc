//! One target: its session, what of its round is still to be asked, and when to look at it next.

use std::{borrow::Cow, collections::VecDeque, sync::Arc};

use portreeve_crypto::PasswordTooShort;
use portreeve_manager::{
    self as manager, Event, Handle, Operation, Request, RequestError, Response, RetryPolicy, Session,
    SessionOptions, WalkError,
};
use portreeve_mib::format::{Format, NameForm};
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, Timestamp, Value};

use super::{
    Change, Place,
    questions::{Question, Wordings, questions},
    table::Table,
};
use crate::{Credential, Target};

/// A target while it is polled.
pub struct Peer {
    target: Target,
    place: Place,
    session: Session,
    questions: Vec<Question>,
    tables: Vec<Table>,
    /// What a table asks next is written here.
    request: Request,
    /// The agent's sysUpTime and boots as it told them last.
    clock: (Option<u32>, Option<i32>),
    /// Questions of this round that wait for room in the window.
    waiting: VecDeque<usize>,
    asked: Vec<(Handle, Asked)>,
    reports: VecDeque<Report>,
    next_round: Timestamp,
    rounds: u64,
    /// Before this nothing is sent, as the pace has it.
    not_before: Timestamp,
    may_send: bool,
    is_ready: bool,
    alarm: Option<Timestamp>,
}

/// An instance and its value.
pub type Variable = (Oid, OwnedValue);

/// How one request, or the walk of a subtree, ended.
pub struct Report {
    /// What was asked, for [`Peer::names`].
    pub about: About,
    /// What was answered and what it changes, or why there is no answer. A walk's variables are not in its response.
    pub result: Result<(Response, Change), WalkError>,
    rows: Vec<Variable>,
}

/// Which of a peer's questions; it stays the same from round to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// Some instances.
    Instances(usize),
    /// A subtree.
    Subtree(usize),
}

/// What a request is for.
#[derive(Clone, Copy)]
enum Asked {
    Instances(usize),
    Subtree(usize, manager::Question),
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
        let mut asked = questions(&target.group.get, target.variables, boots);
        if asked.is_empty() {
            // Tables need to know whether the agent has restarted.
            asked.push(Question::new(&[], boots));
        }
        Ok(Self {
            questions: asked,
            tables: target.group.walk.iter().map(Table::new).collect(),
            request: Request::new(Operation::GetNext),
            clock: (None, None),
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
    ) -> impl Iterator<Item = (Cow<'r, str>, Value<'r>)> {
        let names = match report.about {
            About::Instances(_) => self.names(report),
            About::Subtree(_) => &[],
        };
        let binds = response.var_binds().iter().skip(self.leading(report)).map(|bind| bind.value);
        let rows = report.rows.iter().map(|(name, value)| {
            let mut text = String::new();
            Format { names: NameForm::Suffix, ..Format::default() }.name(&mut text, name.arcs());
            (Cow::Owned(text), value.as_value())
        });
        names.iter().map(|name| Cow::Borrowed(&**name)).zip(binds).chain(rows)
    }

    /// The variables of a report, those among them that the agent does not have left out.
    pub fn variables(&self, report: &Report) -> Vec<Variable> {
        let mut variables = report.rows.clone();
        if let (About::Instances(_), Ok((response, _))) = (report.about, &report.result) {
            let binds = response.var_binds();
            let present = binds.iter().skip(self.leading(report)).filter(|bind| !bind.value.is_exception());
            variables.extend(present.map(|bind| {
                (Oid::new(&bind.name.to_buf()).unwrap_or_default(), OwnedValue::from(bind.value))
            }));
        }
        variables
    }

    /// Names of the objects that a report is about; of a walk, the subtree's.
    pub fn names(&self, report: &Report) -> &[String] {
        match report.about {
            About::Instances(index) => self.questions.get(index).map_or(&[], Question::names),
            About::Subtree(index) => self.tables.get(index).map_or(&[], |table| &table.name),
        }
    }

    /// How many variables of a report stand before its objects.
    pub(crate) fn leading(&self, report: &Report) -> usize {
        match report.about {
            About::Instances(index) => self.questions.get(index).map_or(0, Question::before),
            About::Subtree(_) => 0,
        }
    }

    /// Asks in the words of other peers that are asked for the same.
    pub(super) fn share(&mut self, wordings: &mut Wordings) {
        self.questions.iter_mut().for_each(|question| question.share(wordings));
    }

    pub(super) fn is_done(&self) -> bool {
        let is_reading = self.tables.iter().any(Table::is_being_read);
        let has_to_ask = is_reading || !self.waiting.is_empty() || !self.asked.is_empty();
        self.rounds > 0 && !has_to_ask && self.reports.is_empty()
    }

    /// Takes in a datagram. An answer is kept in the memory of one of `spare`, if there is any.
    pub(super) fn handle_input(&mut self, now: Timestamp, message: &mut [u8], spare: &mut Vec<Response>) {
        if self.session.lacks_memory()
            && let Some(response) = spare.pop()
        {
            self.session.recycle(response);
        }
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
        self.ask();
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

    /// Lets the session have one more request, where the window allows it.
    fn ask(&mut self) {
        if self.asked.len() >= self.target.window {
            return;
        }
        if let Some(index) = self.waiting.pop_front() {
            let handle = self.session.request(self.questions[index].request());
            self.asked.push((handle, Asked::Instances(index)));
            return;
        }
        for (index, table) in self.tables.iter_mut().enumerate().filter(|(_, table)| table.wants_to_ask()) {
            if let Some(question) = table.next_request(&mut self.request) {
                let handle = self.session.request(&self.request);
                return self.asked.push((handle, Asked::Subtree(index, question)));
            }
        }
    }

    pub(super) fn poll_report(&mut self) -> Option<Report> {
        self.reports.pop_front()
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
        let has_to_ask = !self.waiting.is_empty() || self.tables.iter().any(Table::wants_to_ask);
        self.may_send || (has_to_ask && self.asked.len() < self.target.window)
    }

    /// What the last round has not asked yet is asked now; nothing is asked twice at a time.
    fn begin_round(&mut self, now: Timestamp) {
        self.rounds += 1;
        while self.next_round <= now {
            self.next_round = self.next_round + self.target.interval;
        }
        for index in 0..self.questions.len() {
            let busy = self.waiting.contains(&index) || self.is_asked(index);
            if !busy {
                self.waiting.push_back(index);
            }
        }
        let is_v1 = self.session.is_v1();
        self.tables.iter_mut().for_each(|table| table.begin(is_v1));
    }

    fn is_asked(&self, question: usize) -> bool {
        self.asked.iter().any(|(_, asked)| matches!(asked, Asked::Instances(index) if *index == question))
    }

    fn take_events(&mut self, now: Timestamp) {
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

/// What results call it.
impl std::fmt::Debug for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&Arc::clone(&self.target.name))
    }
}
