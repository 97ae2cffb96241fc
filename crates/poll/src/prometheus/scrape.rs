//! Asks one agent for everything a request wants, with a socket and a session of its own.

use std::time::{Duration, Instant};

use portreeve_smi::{ErrorStatus, Oid, OwnedValue, Value};
use portreeve_snmp_manager::{
    Client, FastWalk, Operation, Progress, Request, Response, RetryPolicy, SessionOptions, Statistics,
    WalkOptions,
};

use super::request::Asked;
use crate::{Group, poller::Variable};

/// Asking one agent, which ends at a fixed time.
pub(super) struct Scrape {
    client: Client,
    deadline: Instant,
    octets: usize,
}

/// What one group of objects came to.
pub(super) struct Found {
    pub(super) variables: Vec<Variable>,
    /// How long it took.
    pub(super) time: Duration,
    /// Messages sent, and variables that came in answers, the ones beyond the subtrees' ends included.
    pub(super) statistics: Statistics,
}

impl Scrape {
    /// Opens a socket; whatever is asked through it ends by `deadline`.
    pub(super) fn begin(asked: &Asked, deadline: Instant) -> Result<Self, String> {
        let credentials = asked.credential.unlock().map_err(|error| error.to_string())?;
        let patience = asked.timeout.min(deadline.saturating_duration_since(Instant::now()));
        let options = SessionOptions {
            retry: RetryPolicy::adaptive(patience),
            context_name: asked.context.clone(),
            ..SessionOptions::default()
        };
        let client =
            Client::open(&asked.address, credentials, &options).map_err(|error| error.to_string())?;
        Ok(Self { client, deadline, octets: 0 })
    }

    /// Asks for a group.
    pub(super) fn read(&mut self, group: &Group) -> Result<Found, String> {
        let (begun, before) = (Instant::now(), self.client.statistics());
        let mut variables = Vec::new();
        for names in group.get.chunks(TOGETHER) {
            self.get(names, &mut variables)?;
        }
        for root in group.walk.iter().chain(&group.labels) {
            let is_there = group.walk.iter().any(|walk| walk != root && root.starts_with(walk));
            if !is_there {
                self.walk(root, &mut variables)?;
            }
        }
        let after = self.client.statistics();
        let statistics = Statistics {
            messages_out: after.messages_out - before.messages_out,
            variables: after.variables - before.variables,
            ..after
        };
        Ok(Found { variables, time: begun.elapsed(), statistics })
    }

    fn get(&mut self, names: &[Oid], found: &mut Vec<Variable>) -> Result<(), String> {
        self.in_time()?;
        let request = Request::read(Operation::Get, names.iter().map(Oid::arcs));
        let response = self.client.request(&request).map_err(|error| error.to_string())?;
        match (response.error_status(), names) {
            (Some(ErrorStatus::NoError), _) => self.take(&response, found),
            // SNMPv1's way to say that there is no such instance.
            (Some(ErrorStatus::NoSuchName), [_]) => Ok(()),
            (_, [_]) | (None, _) => {
                Err(format!("the agent answered with error-status {}", response.error_status_number()))
            }
            (Some(_), _) => names.iter().try_for_each(|name| self.get(std::slice::from_ref(name), found)),
        }
    }

    fn take(&mut self, response: &Response, found: &mut Vec<Variable>) -> Result<(), String> {
        for bind in response.var_binds().iter().filter(|bind| !bind.value.is_exception()) {
            let name = Oid::new(&bind.name.to_buf()).unwrap_or_default();
            self.octets += size(&name, bind.value);
            found.push((name, OwnedValue::from(bind.value)));
        }
        self.in_bounds()
    }

    fn walk(&mut self, root: &Oid, found: &mut Vec<Variable>) -> Result<(), String> {
        let mut walk = FastWalk::new(root, WalkOptions::default());
        if self.client.is_v1() {
            walk.forgo_bulk();
        }
        let (mut request, mut asked) = (Request::new(Operation::GetNext), Vec::new());
        loop {
            self.in_time()?;
            while let Some(question) = walk.next_request(&mut request) {
                asked.push((self.client.send(&request), question));
            }
            let event = self.client.next_event().map_err(|error| error.to_string())?;
            let Some(event) = event else { return Err("the walk has come to nothing".into()) };
            let Some(at) = asked.iter().position(|(handle, _)| *handle == event.handle) else { continue };
            let (_, question) = asked.swap_remove(at);
            let octets = &mut self.octets;
            let progress = walk.accept(question, &event.result, |bind| {
                if !bind.value.is_exception() {
                    let name = Oid::new(&bind.name.to_buf()).unwrap_or_default();
                    *octets += size(&name, bind.value);
                    found.push((name, OwnedValue::from(bind.value)));
                }
            });
            self.in_bounds()?;
            match progress {
                Ok(Progress::More) => {}
                Ok(Progress::Done(_)) => break,
                Err(error) => return Err(error.to_string()),
            }
            if let Ok(response) = event.result {
                self.client.recycle(response);
            }
        }
        Ok(())
    }

    fn in_time(&self) -> Result<(), String> {
        if Instant::now() < self.deadline { Ok(()) } else { Err("the agent takes too long".into()) }
    }

    fn in_bounds(&self) -> Result<(), String> {
        if self.octets <= MOST_OCTETS { Ok(()) } else { Err("the agent shows too much".into()) }
    }
}

/// About how much memory a variable takes.
fn size(name: &Oid, value: Value<'_>) -> usize {
    OVERHEAD + 4 * name.arcs().len() + value.content_len()
}

/// Instances asked for with one message.
const TOGETHER: usize = 50;
/// What all variables of one scrape may take.
const MOST_OCTETS: usize = 64 * 1024 * 1024;
const OVERHEAD: usize = 64;
