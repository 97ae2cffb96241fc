//! The experiments, one file each. Each prints its own table and returns its figures.

pub(crate) mod allocations;
pub(crate) mod bench;
pub(crate) mod codec;
pub(crate) mod demo;
mod effort;
pub(crate) mod jitter;
pub(crate) mod loss;
mod netconf;
pub(crate) mod poll;
pub(crate) mod sessions;
mod sets;
pub(crate) mod simulate;
pub(crate) mod throughput;
pub(crate) mod usage;
pub(crate) mod walk;

use effort::Effort;
