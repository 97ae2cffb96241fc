//! Asks one agent for everything a request wants, with a socket and a session of its own.

use std::time::{Duration, Instant};

use portreeve_smi::{ErrorStatus, Oid, OwnedValue, Value};
use portreeve_snmp_manager::{
    Client, ClientStatistics, FastWalk, Operation, Request, Response, RetryPolicy, SessionOptions,
    WalkOptions, WalkProgress,
};

use super::request::ScrapeRequest;
use crate::{ObjectGroup, poller::Variable};

/// Asking one agent, which ends at a fixed time.
pub(super) struct Scrape {
    client: Client,
    deadline: Instant,
    octets: usize,
}

/// What one group of objects came to.
pub(super) struct GroupResult {
    pub(super) variables: Vec<Variable>,
    /// How long it took.
    pub(super) time: Duration,
    /// Messages sent, and variables that came in answers, the ones beyond the subtrees' ends included.
    pub(super) statistics: ClientStatistics,
}

impl Scrape {
    /// Opens a socket; whatever is asked through it ends by `deadline`.
    pub(super) fn begin(scrape_request: &ScrapeRequest, deadline: Instant) -> Result<Self, String> {
        let credentials = scrape_request.credential.to_credentials().map_err(|error| error.to_string())?;
        let scrape_timeout = scrape_request.timeout.min(deadline.saturating_duration_since(Instant::now()));
        let options = SessionOptions {
            retry: RetryPolicy::adaptive(scrape_timeout),
            context_name: scrape_request.context.clone(),
            ..SessionOptions::default()
        };
        let client = Client::open(&scrape_request.address, credentials, &options)
            .map_err(|error| error.to_string())?;
        Ok(Self { client, deadline, octets: 0 })
    }

    /// Asks for a group.
    pub(super) fn read(&mut self, group: &ObjectGroup) -> Result<GroupResult, String> {
        let (begun, before) = (Instant::now(), self.client.statistics());
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
        Ok(GroupResult { variables, time: begun.elapsed(), statistics })
    }

    fn get(&mut self, names: &[Oid], found: &mut Vec<Variable>) -> Result<(), String> {
        self.check_deadline()?;
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
        self.check_size()
    }

    fn walk(&mut self, root: &Oid, found: &mut Vec<Variable>) -> Result<(), String> {
        let mut walk = FastWalk::new(root, WalkOptions::default());
        if self.client.is_v1() {
            walk.disable_bulk();
        }
        let (mut request, mut scrape_request) = (Request::new(Operation::GetNext), Vec::new());
        loop {
            self.check_deadline()?;
            while let Some(question) = walk.next_request(&mut request) {
                scrape_request.push((self.client.send(&request), question));
            }
            let event = self.client.next_event().map_err(|error| error.to_string())?;
            let Some(event) = event else { return Err("the walk has come to nothing".into()) };
            let Some(at) = scrape_request.iter().position(|(handle, _)| *handle == event.handle) else {
                continue;
            };
            let (_, question) = scrape_request.swap_remove(at);
            let octets = &mut self.octets;
            let progress = walk.accept(question, &event.result, |bind| {
                if !bind.value.is_exception() {
                    let name = Oid::new(&bind.name.to_buf()).unwrap_or_default();
                    *octets += size(&name, bind.value);
                    found.push((name, OwnedValue::from(bind.value)));
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
        if Instant::now() < self.deadline { Ok(()) } else { Err("the agent takes too long".into()) }
    }

    fn check_size(&self) -> Result<(), String> {
        if self.octets <= MAX_BYTES { Ok(()) } else { Err("the agent shows too much".into()) }
    }
}

/// About how much memory a variable takes.
fn size(name: &Oid, value: Value<'_>) -> usize {
    VARIABLE_OVERHEAD + 4 * name.arcs().len() + value.content_len()
}

/// Instances asked for with one message.
const NAMES_PER_REQUEST: usize = 50;
/// What all variables of one scrape may take.
const MAX_BYTES: usize = 64 * 1024 * 1024;
const VARIABLE_OVERHEAD: usize = 64;
