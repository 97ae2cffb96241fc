//! The statements of the paper, and one sentence about each from the samples.

use portreeve_lab_report::document::{Outcome, Section, Source};
use portreeve_lab_report::papers::paper_003::OBJECTS_PER_SET;
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::statistics::{Level, Summary};
use portreeve_lab_report::unit::Unit;

use super::Compared;
use crate::experiments::judgement::interval_is_less;

/// The operation time: SNMP is faster for few objects, NETCONF for many.
pub(super) fn times(all: &Selection<'_>, section: &mut Section) {
    let rows = rows(all, "time", |of| &of.edit);
    if rows.is_empty() {
        return;
    }
    let parts = rows.iter().map(|row| {
        let is_few = row.objects < PAPER_CROSSING;
        row.set_is_less().map(|set_is_less| set_is_less == is_few)
    });
    let mut finding = format!("Here, {}", Order::of(&rows).text("SET is faster", "edit-config"));
    let sessions = self::rows(all, "total", |of| &of.edit);
    if !sessions.is_empty() {
        finding +=
            &format!("; with its session, {}", Order::of(&sessions).text("SET is faster", "edit-config"));
    }
    let netconfd = self::rows(all, "time", |of| &of.netconfd);
    if !netconfd.is_empty() {
        let order = Order::of(&netconfd).text("SET is faster", "its edit-config");
        finding += &format!("; with netconfd, which writes nothing to the disk, {order}");
    }
    section.verdict(
        Source::Paper("003 Table 3"),
        Outcome::of_parts(parts),
        "SNMP is faster for few objects, and NETCONF from about 500 on.",
        format!("{finding}."),
    );
}

/// The frames and octets: fewer with SNMP, because the paper did not count later fragments.
pub(super) fn counts(all: &Selection<'_>, section: &mut Section) {
    let of = |value| rows(all, value, |of| &of.edit);
    let (octets, frames) = (of("transport_octets"), of("frames"));
    let (seen_octets, seen_frames) = (of("transport_octets_with_ports"), of("frames_with_ports"));
    let ratio = |rows: &[Row]| rows.last().map(|row| Unit::Ratio.text(row.set.mean / row.other.mean));
    let (Some(last), Some(seen)) =
        (ratio(&octets).zip(ratio(&frames)), ratio(&seen_octets).zip(ratio(&seen_frames)))
    else {
        return;
    };
    let order =
        |rows: &[Row], what: &str| Order::of(rows).text(&format!("SET needs fewer {what}"), "edit-config");
    section.verdict(
        Source::Paper("003 Tables 1 and 2"),
        Outcome::of_parts(octets.iter().chain(&frames).map(Row::set_is_less)),
        "SNMP needs fewer frames and fewer bytes than NETCONF for every number of objects.",
        format!(
            "Here, {}; {}. For {} objects, SET needs {} times the octets and {} times the frames of edit-config; if only \
             first fragments are counted, as in the paper, {} and {} times.",
            order(&octets, "octets"),
            order(&frames, "frames"),
            octets.last().map_or(String::new(), |row| Unit::Count.text(row.objects as f64)),
            last.0,
            last.1,
            seen.0,
            seen.1,
        ),
    );
}

/// The transactions: one with NETCONF, many with SNMP.
pub(super) fn transactions(all: &Selection<'_>, section: &mut Section) {
    let rows = rows(all, "transactions", |of| &of.edit);
    let Some(last) = rows.last() else { return };
    let parts = rows.iter().map(|row| {
        let expected = row.objects.div_ceil(OBJECTS_PER_SET) as f64;
        Some(row.other.is_constant() && row.other.mean == 1.0 && row.set.mean == expected)
    });
    section.verdict(
        Source::Paper("003 Table 5"),
        Outcome::of_parts(parts),
        "NETCONF configures any number of objects in one transaction; SNMP needs one for every 36.",
        format!(
            "Here {} objects take {} transactions with SET and {} with edit-config.",
            Unit::Count.text(last.objects as f64),
            Unit::Count.text(last.set.mean),
            Unit::Count.text(last.other.mean),
        ),
    );
}

/// A value of SET and of edit-config for one number of objects.
struct Row {
    objects: usize,
    set: Summary,
    other: Summary,
}

impl Row {
    /// Reports whether SET has the lower mean. `None` if the 99 % intervals of the means overlap.
    fn set_is_less(&self) -> Option<bool> {
        interval_is_less(self.set.mean_interval(Level::P99)?, self.other.mean_interval(Level::P99)?)
    }
}

/// The numbers of objects for which the one or the other has the lower mean.
struct Order<'r> {
    rows: &'r [Row],
}

impl<'r> Order<'r> {
    fn of(rows: &'r [Row]) -> Self {
        Self { rows }
    }

    /// Returns a phrase: `SET is faster for 1 objects, edit-config for 1000, and 99 % intervals do
    /// not decide it for 10 and 100`.
    fn text(&self, set: &str, other: &str) -> String {
        let objects = |part: Option<bool>, none: &str| {
            let rows = self.rows.iter().filter(|row| row.set_is_less() == part);
            let numbers: Vec<String> = rows.map(|row| Unit::Count.text(row.objects as f64)).collect();
            match numbers.split_last() {
                None => none.to_owned(),
                Some((last, [])) => last.clone(),
                Some((last, others)) => format!("{} and {last}", others.join(", ")),
            }
        };
        let mut text = format!(
            "{set} for {} objects, {other} for {}",
            objects(Some(true), "no number of"),
            objects(Some(false), "none")
        );
        if self.rows.iter().any(|row| row.set_is_less().is_none()) {
            text += &format!(", and 99 % intervals do not decide it for {}", objects(None, "none"));
        }
        text
    }
}

/// Returns a value of SET and of another method for each number of objects that both have.
fn rows<'s>(
    all: &Selection<'s>,
    value: &str,
    other: impl for<'c> Fn(&'c Compared<'s>) -> &'c Selection<'s>,
) -> Vec<Row> {
    let compared = Compared::new(all);
    let row = |objects| {
        let of = compared.with(objects);
        Some(Row { objects, set: of.set.summary(value)?, other: other(&of).summary(value)? })
    };
    compared.objects().into_iter().filter_map(row).collect()
}

/// The number of objects from which NETCONF is faster in the paper.
const PAPER_CROSSING: usize = 500;

#[cfg(test)]
mod tests;
