//! The statements of the paper, and one sentence about each from the samples.

use portreeve_lab_report::document::{Outcome, Section};
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::unit::Unit;

use super::Compared;

/// The operation time: SNMP is faster for few objects, NETCONF for many.
pub(super) fn times(all: &Selection<'_>, section: &mut Section) {
    let rows = means(all, "time");
    let (Some((first, set, edit)), Some((last, most_set, most_edit))) = (rows.first(), rows.last()) else {
        return;
    };
    let faster = |rows: &[(usize, f64, f64)]| match rows.iter().find(|(_, set, edit)| edit < set) {
        Some((objects, ..)) => format!("from {} on", Unit::Count.text(*objects as f64)),
        None => "never".to_owned(),
    };
    let crossing = format!(
        "edit-config is faster {}, and with its session {}",
        faster(&rows),
        faster(&means(all, "total"))
    );
    let seconds = |value: &f64| Unit::Seconds.text(*value);
    section.verdict(
        outcome(set < edit, most_edit < most_set),
        "SNMP is faster for few objects, and NETCONF from about 500 on.",
        format!(
            "Here, among the measured numbers of objects, {crossing}. SET takes {} and edit-config {} for {first}, and \
             {} and {} for {}.",
            seconds(set),
            seconds(edit),
            seconds(most_set),
            seconds(most_edit),
            Unit::Count.text(*last as f64),
        ),
    );
}

/// The frames and octets: fewer with SNMP, because the paper did not count later fragments.
pub(super) fn counts(all: &Selection<'_>, section: &mut Section) {
    let last = |value: &str| means(all, value).last().copied();
    let (octets, frames) = (last("transport_octets"), last("frames"));
    let seen = last("transport_octets_with_ports").zip(last("frames_with_ports"));
    let (Some(octets), Some(frames), Some((seen_octets, seen_frames))) = (octets, frames, seen) else {
        return;
    };
    let ratio = |(_, set, edit): (usize, f64, f64)| Unit::Ratio.text(set / edit);
    section.verdict(
        outcome(octets.1 < octets.2, frames.1 < frames.2),
        "SNMP needs fewer frames and fewer bytes than NETCONF for every number of objects.",
        format!(
            "Here SET needs {} times the octets and {} times the frames of edit-config for {} objects; if only first \
             fragments are counted, as in the paper, {} and {} times.",
            ratio(octets),
            ratio(frames),
            Unit::Count.text(octets.0 as f64),
            ratio(seen_octets),
            ratio(seen_frames),
        ),
    );
}

/// The transactions: one with NETCONF, many with SNMP.
pub(super) fn transactions(all: &Selection<'_>, section: &mut Section) {
    let Some((objects, set, edit)) = means(all, "transactions").last().copied() else { return };
    section.verdict(
        outcome(edit == 1.0, set > 1.0),
        "NETCONF configures any number of objects in one transaction; SNMP needs one for every 36.",
        format!(
            "Here {} objects take {} transactions with SET and {} with edit-config.",
            Unit::Count.text(objects as f64),
            Unit::Count.text(set),
            Unit::Count.text(edit),
        ),
    );
}

fn outcome(one_half: bool, other_half: bool) -> Outcome {
    match (one_half, other_half) {
        (true, true) => Outcome::Holds,
        (false, false) => Outcome::DoesNotHold,
        _ => Outcome::HoldsInPart,
    }
}

/// Returns the means of SET and edit-config for each number of objects that both have.
fn means(all: &Selection<'_>, value: &str) -> Vec<(usize, f64, f64)> {
    let compared = Compared::new(all);
    let row = |objects| {
        let of = compared.with(objects);
        Some((objects, of.set.summary(value)?.mean, of.edit.summary(value)?.mean))
    };
    compared.objects().into_iter().filter_map(row).collect()
}
