//! Parts of `bench` that cannot be measured on this machine, with the reasons.
//!
//! An experiment without one of its programs measures the others. What it leaves out is printed at
//! once and written to the JSON file, from which `lab run` adds it to the samples.

use std::sync::Mutex;

/// A part of an experiment that is not measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Skip {
    /// The program or the work.
    pub(crate) subject: String,
    pub(crate) reason: String,
}

/// Prints and records that a part of the running experiment is not measured.
pub(crate) fn skip(subject: &str, reason: impl Into<String>) {
    let skip = Skip { subject: subject.to_owned(), reason: reason.into() };
    println!("{}: not measured: {}", skip.subject, skip.reason);
    if let Ok(mut skips) = SKIPS.lock() {
        skips.push(skip);
    }
}

/// Returns and removes what has been recorded since the last call.
pub(crate) fn take() -> Vec<Skip> {
    SKIPS.lock().map(|mut skips| std::mem::take(&mut *skips)).unwrap_or_default()
}

/// The experiments of `bench` run one after the other, so that one list is enough.
static SKIPS: Mutex<Vec<Skip>> = Mutex::new(Vec::new());
