//! Records and times the steps, and prints each one when it ends.

use std::{
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use portreeve_channel::{ChannelObserver, ChannelStep, Fact};

use crate::{
    console::Console,
    record::{Stage, StepRecord},
};

/// The steps so far. Channels report theirs through [`ChannelObserver`].
pub(crate) struct Timeline(Mutex<Inner>);

struct Inner {
    console: Option<Console>,
    current: Option<Current>,
    records: Vec<StepRecord>,
}

struct Current {
    stage: Stage,
    since: Instant,
    facts: Vec<Fact>,
}

impl Timeline {
    pub(crate) fn new(console: Option<Console>) -> Self {
        Self(Mutex::new(Inner { console, current: None, records: Vec::new() }))
    }

    /// Starts a step. The previous step, if any, ends with success.
    pub(crate) fn enter(&self, stage: Stage) {
        let mut inner = self.inner();
        inner.end(true);
        inner.current = Some(Current { stage, since: Instant::now(), facts: Vec::new() });
    }

    /// Ends the current step, which succeeded.
    pub(crate) fn finish(&self) {
        self.inner().end(true);
    }

    /// Ends the timeline with a failure in `stage`. If the current stage is later than `stage`, the
    /// current one is marked as failed instead, because `stage` has already succeeded. Returns the
    /// stage that is marked as failed.
    pub(crate) fn fail(&self, stage: Stage) -> Stage {
        let mut inner = self.inner();
        if let Some(last) = inner.records.last().filter(|last| !last.succeeded) {
            return last.stage;
        }
        match inner.current.as_ref().map(|current| current.stage) {
            Some(current) if current >= stage => {
                inner.end(false);
                current
            }
            _ => {
                inner.end(true);
                inner.push(StepRecord {
                    stage,
                    succeeded: false,
                    duration: Duration::ZERO,
                    facts: Vec::new(),
                });
                stage
            }
        }
    }

    /// Adds a step that the caller has timed.
    pub(crate) fn add(&self, record: StepRecord) {
        let mut inner = self.inner();
        inner.end(true);
        inner.push(record);
    }

    /// Returns the value of a fact of the current step.
    pub(crate) fn fact(&self, name: &str) -> Option<String> {
        let inner = self.inner();
        let found = inner.current.as_ref()?.facts.iter().find(|fact| fact.name == name)?;
        Some(found.value.clone())
    }

    /// Returns the stage of the current step.
    pub(crate) fn stage(&self) -> Option<Stage> {
        self.inner().current.as_ref().map(|current| current.stage)
    }

    pub(crate) fn into_records(self) -> Vec<StepRecord> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).records
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChannelObserver for Timeline {
    fn on_step(&self, step: ChannelStep) {
        self.enter(Stage::Channel(step));
    }

    fn on_fact(&self, fact: Fact) {
        if let Some(current) = &mut self.inner().current {
            current.facts.push(fact);
        }
    }
}

impl Inner {
    fn end(&mut self, succeeded: bool) {
        if let Some(current) = self.current.take() {
            let Current { stage, since, facts } = current;
            self.push(StepRecord { stage, succeeded, duration: since.elapsed(), facts });
        }
    }

    fn push(&mut self, record: StepRecord) {
        if let Some(console) = &self.console {
            console.show(&record);
        }
        self.records.push(record);
    }
}

/// Measures the time between consecutive steps.
#[derive(Debug)]
pub(crate) struct StepTimer(Instant);

impl StepTimer {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the time since the previous step; the next step starts at `end`.
    pub(crate) fn lap(&mut self, end: Instant) -> Duration {
        let begin = mem::replace(&mut self.0, end);
        end.saturating_duration_since(begin)
    }
}
