//! Notifications: the rate that receivers write to disk, the delay of a linkDown, the time of one
//! inform over each transport, and the agent's memory for many targets.
//!
//! ```text
//! sender, core 0 ──veth── receiver, core 1 ── file
//! ```
//! Receivers are always in the server's namespace. Only the memory is measured on loopback, because
//! no packet's time matters there.

mod inform;
pub(crate) mod inform_client;
mod inform_session;
mod link;
mod memory;
pub(super) mod messages;
pub(crate) mod notification_client;
mod rate;
pub(super) mod receivers;
pub(super) mod site;
pub(crate) mod trap_load;
mod trap_session;
mod version_12;

use std::{fs, path::Path};

use portreeve_lab_report::statistics::Summary;

use super::Effort;
use crate::error::{Context, Result};
use crate::namespaces::Namespaces;
use crate::process::own_program;
use crate::skips::skip;
use crate::table::Figure;
use site::Site;

/// The experiments that measure notifications.
#[derive(Clone, Copy)]
pub(super) enum NotificationExperiment {
    Rate,
    Link,
    Inform,
    Memory,
}

/// Runs one experiment with its own receivers.
pub(super) fn run(experiment: NotificationExperiment, scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let needed = ["portreeved", "portreeve-trapd", "portreeve"];
    if let Some(error) = needed.iter().find_map(|program| own_program(program).err()) {
        skip("notifications", error.message());
        return Ok(Vec::new());
    }
    let directory = scratch.join("notifications");
    fs::create_dir_all(&directory).context(directory.display())?;
    let figures = match experiment {
        NotificationExperiment::Rate => rate::run(&Namespaces::new(0)?, &directory, effort),
        NotificationExperiment::Link => {
            let namespaces = Namespaces::new(link::INTERFACES)?;
            link::run(&Site::new(Some(&namespaces), &directory)?, effort)
        }
        NotificationExperiment::Inform => {
            let namespaces = Namespaces::new(0)?;
            inform::run(&Site::new(Some(&namespaces), &directory)?, effort)
        }
        NotificationExperiment::Memory => memory::run(&Site::new(None, &directory)?),
    };
    fs::remove_dir_all(&directory).context(directory.display())?;
    figures
}

/// Returns a figure for which less is better: its best value is the minimum.
fn min_figure(
    work: &str,
    setting: &'static str,
    subject: &str,
    unit: &'static str,
    samples: &[f64],
) -> Figure {
    Figure {
        experiment: "notifications",
        work: work.into(),
        setting,
        subject: subject.into(),
        unit,
        best: quantile(samples, 0.0),
        median: Summary::of(samples).map_or(0.0, |summary| summary.median),
        n: samples.len(),
        ratios: Vec::new(),
        goal: None,
    }
}

/// Returns the sample that is not below this part of the samples: 0 returns the minimum.
fn quantile(samples: &[f64], part: f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let index = (part * sorted.len() as f64) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantile_is_a_sample_and_the_last_one_at_the_end() {
        let samples: Vec<f64> = (0..100).rev().map(f64::from).collect();
        assert_eq!([0.0, 0.5, 0.99, 1.0].map(|part| quantile(&samples, part)), [0.0, 50.0, 99.0, 99.0]);
        assert_eq!(quantile(&[], 0.5), 0.0);
    }
}
