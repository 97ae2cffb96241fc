//! The experiments, one file each.
//!
//! Those of `bench` print their own tables and return their figures; `bench.rs` lists them, and
//! `bench_figures.rs` measures them in `lab run`. The others are [`Experiment`]s, listed in
//! [`ALL`].

mod aes_instructions;
pub(crate) mod allocations;
pub(crate) mod bench;
mod bench_figures;
mod client_setup;
pub(crate) mod codec;
mod concurrency;
pub(crate) mod demo;
mod effort;
mod handshakes;
pub(crate) mod if_table_walk;
pub(crate) mod jitter;
mod judgement;
pub(crate) mod loss;
pub(crate) mod memory;
mod netconf;
mod notification_cost;
pub(crate) mod notifications;
pub(crate) mod one_shot;
mod optimisations;
pub(crate) mod overview;
pub(crate) mod packet_loss;
mod phases;
pub(crate) mod poll;
mod security_levels;
mod sequence;
pub(crate) mod session_length;
pub(crate) mod sessions;
mod sets;
pub(crate) mod simulate;
pub(crate) mod stair;
mod staircase;
pub(crate) mod throughput;
mod tls_protection;
mod traffic;
mod unavailable_notes;
pub(crate) mod usage;
pub(crate) mod walk;
mod within_range;

use crate::harness::Experiment;
use effort::Effort;

/// The experiments of `lab run`, in the order in which they run and in the report.
pub(crate) static ALL: &[&Experiment] = &[
    &one_shot::EXPERIMENT,
    &if_table_walk::EXPERIMENT,
    &session_length::EXPERIMENT,
    &phases::EXPERIMENT,
    &sequence::EXPERIMENT,
    &tls_protection::EXPERIMENT,
    &traffic::EXPERIMENT,
    &optimisations::EXPERIMENT,
    &packet_loss::EXPERIMENT,
    &memory::EXPERIMENT,
    &staircase::EXPERIMENT,
    &handshakes::EXPERIMENT,
    &concurrency::EXPERIMENT,
    &notification_cost::EXPERIMENT,
    &aes_instructions::EXPERIMENT,
    &demo::EXPERIMENT,
    &bench_figures::EXPERIMENT,
];
