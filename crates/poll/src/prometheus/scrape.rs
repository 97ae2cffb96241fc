//! Scrapes one agent with its own socket and session.

use std::time::{Duration, Instant};

use portreeve_smi::{ErrorStatus, Oid, OwnedValue, Value};
use portreeve_snmp_manager::{
    Client, ClientStatistics, FastWalk, Operation, Request, Response, RetryPolicy, SessionOptions,
    WalkOptions, WalkProgress,
};

use super::request::ScrapeRequest;
use crate::{ObjectGroup, poller::Variable};

/// A scrape of one agent with a deadline.
pub(super) struct Scrape {
    client: Client,
    deadline: Instant,
    octets: usize,
}

/// The result for one group of objects.
pub(super) struct GroupResult {
    pub(super) variables: Vec<Variable>,
    /// The time that the requests for the group took.
    pub(super) time: Duration,
    /// The number of messages sent and of variables received. The variables include those beyond
    /// the ends of subtrees.
    pub(super) statistics: ClientStatistics,
}

impl Scrape {
    /// Opens a socket for the agent. All requests end by `deadline`.
    pub(super) fn start(request: &ScrapeRequest, deadline: Instant) -> Result<Self, String> {
        let credentials = request.credential.to_credentials().map_err(|error| error.to_string())?;
        let scrape_timeout = request.timeout.min(deadline.saturating_duration_since(Instant::now()));
        let options = SessionOptions {
            retry: RetryPolicy::adaptive(scrape_timeout),
            context_name: request.context.clone(),
            ..SessionOptions::default()
        };
        let client =
            Client::open(&request.address, credentials, &options).map_err(|error| error.to_string())?;
        Ok(Self { client, deadline, octets: 0 })
    }

    /// Reads the objects of a group.
    pub(super) fn read(&mut self, group: &ObjectGroup) -> Result<GroupResult, String> {
        let (started, before) = (Instant::now(), self.client.statistics());
        let mut variables = Vec::new();
        for names in group.get.chunks(NAMES_PER_REQUEST) {
            self.get(names, &mut variables)?;
        }
        for root in group.walk.iter().chain(&group.labels) {
            let is_there = group.walk.iter().any(|walk| walk != root && root.starts_with(walk));
            if !is_there {
                self.walk(root, &mut variables)?;
            }
        }
        let after = self.client.statistics();
        let statistics = ClientStatistics {
            messages_out: after.messages_out - before.messages_out,
            variables: after.variables - before.variables,
            ..after
        };
        Ok(GroupResult { variables, time: started.elapsed(), statistics })
    }

    fn get(&mut self, names: &[Oid], variables: &mut Vec<Variable>) -> Result<(), String> {
        self.check_deadline()?;
        let request = Request::read(Operation::Get, names.iter().map(Oid::arcs));
        let response = self.client.request(&request).map_err(|error| error.to_string())?;
        match (response.error_status(), names) {
            (Some(ErrorStatus::NoError), _) => self.add_response(&response, variables),
            // In SNMPv1 noSuchName means that the instance does not exist.
            (Some(ErrorStatus::NoSuchName), [_]) => Ok(()),
            (_, [_]) | (None, _) => {
                Err(format!("the agent responded with error-status {}", response.error_status_number()))
            }
            (Some(_), _) => names.iter().try_for_each(|name| self.get(std::slice::from_ref(name), variables)),
        }
    }

    fn add_response(&mut self, response: &Response, variables: &mut Vec<Variable>) -> Result<(), String> {
        for bind in response.var_binds().iter().filter(|bind| !bind.value.is_exception()) {
            let name = Oid::new(&bind.name.to_buf()).unwrap_or_default();
            self.octets += size(&name, bind.value);
            variables.push((name, OwnedValue::from(bind.value)));
        }
        self.check_size()
    }

    fn walk(&mut self, root: &Oid, variables: &mut Vec<Variable>) -> Result<(), String> {
        let mut walk = FastWalk::new(root, WalkOptions::default());
        if self.client.is_v1() {
            walk.disable_bulk();
        }
        let (mut request, mut in_flight) = (Request::new(Operation::GetNext), Vec::new());
        loop {
            self.check_deadline()?;
            while let Some(request_id) = walk.next_request(&mut request) {
                in_flight.push((self.client.send(&request), request_id));
            }
            let event = self.client.next_event().map_err(|error| error.to_string())?;
            let Some(event) = event else { return Err("the walk ended without a result".into()) };
            let Some(at) = in_flight.iter().position(|(handle, _)| *handle == event.handle) else {
                continue;
            };
            let (_, request_id) = in_flight.swap_remove(at);
            let octets = &mut self.octets;
            let progress = walk.accept(request_id, &event.result, |bind| {
                if !bind.value.is_exception() {
                    let name = Oid::new(&bind.name.to_buf()).unwrap_or_default();
                    *octets += size(&name, bind.value);
                    variables.push((name, OwnedValue::from(bind.value)));
                }
            });
            self.check_size()?;
            match progress {
                Ok(WalkProgress::More) => {}
                Ok(WalkProgress::Done(_)) => break,
                Err(error) => return Err(error.to_string()),
            }
            if let Ok(response) = event.result {
                self.client.recycle(response);
            }
        }
        Ok(())
    }

    fn check_deadline(&self) -> Result<(), String> {
        if Instant::now() < self.deadline { Ok(()) } else { Err("the agent did not respond in time".into()) }
    }

    fn check_size(&self) -> Result<(), String> {
        if self.octets <= MAX_BYTES { Ok(()) } else { Err("the agent returned too much data".into()) }
    }
}

/// Returns the approximate memory use of a variable in bytes.
fn size(name: &Oid, value: Value<'_>) -> usize {
    VARIABLE_OVERHEAD + 4 * name.arcs().len() + value.content_len()
}

/// The maximum number of instances in one request.
const NAMES_PER_REQUEST: usize = 50;
/// The memory limit for all variables of one scrape.
const MAX_BYTES: usize = 64 * 1024 * 1024;
const VARIABLE_OVERHEAD: usize = 64;
