//! One target: its session, what of its round is still to be asked, and when to look at it next.

mod answers;
mod report;
mod schedule;

use std::{collections::VecDeque, sync::Arc};

use portreeve_crypto::PasswordTooShort;
use portreeve_smi::Timestamp;
use portreeve_snmp_manager::{
    self as manager, Handle, Operation, Request, Response, RetryPolicy, Session, SessionOptions,
};

use super::{
    Place,
    questions::{Question, Wordings, questions},
    table::Table,
};
use crate::{Credential, Target};

pub use report::{About, Report, Variable};

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
}

/// What results call it.
impl std::fmt::Debug for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&Arc::clone(&self.target.name))
    }
}
