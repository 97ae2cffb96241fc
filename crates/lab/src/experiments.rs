//! The experiments, one file each.
//!
//! Those of `bench` print their own tables and return their figures; `bench.rs` lists them. Those
//! of `lab run` are [`Experiment`]s, listed in [`ALL`].

mod aes_instructions;
pub(crate) mod allocations;
pub(crate) mod bench;
pub(crate) mod codec;
mod concurrency;
pub(crate) mod demo;
mod effort;
mod handshakes;
mod if_table_walk;
pub(crate) mod jitter;
pub(crate) mod loss;
mod memory;
mod netconf;
mod notification_cost;
pub(crate) mod notifications;
mod one_shot;
mod phases;
pub(crate) mod poll;
mod security_levels;
mod session_length;
pub(crate) mod sessions;
mod sets;
pub(crate) mod simulate;
pub(crate) mod stair;
mod staircase;
pub(crate) mod throughput;
mod traffic;
mod unavailable_notes;
pub(crate) mod usage;
pub(crate) mod walk;

use crate::harness::Experiment;
use effort::Effort;

/// The experiments of `lab run`, in the order in which they run and in the report.
pub(crate) static ALL: &[&Experiment] = &[
    &one_shot::EXPERIMENT,
    &if_table_walk::EXPERIMENT,
    &session_length::EXPERIMENT,
    &phases::EXPERIMENT,
    &traffic::EXPERIMENT,
    &memory::EXPERIMENT,
    &staircase::EXPERIMENT,
    &handshakes::EXPERIMENT,
    &concurrency::EXPERIMENT,
    &notification_cost::EXPERIMENT,
    &aes_instructions::EXPERIMENT,
];
