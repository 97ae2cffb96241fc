//! The comparison as a report.

use super::{Change, Comparison, Direction, MIN_CHANGE, Place};
use crate::document::{Cell, Computed, Document, NoticeKind, Prose, Section, Table};
use crate::sample::RunInfo;
use crate::statistics::{Level, median_ratio};
use crate::unit::Unit;

impl Comparison {
    /// Creates a report. The names are those of the runs; `unit` returns the unit of a value.
    pub fn report(&self, names: [&str; 2], runs: [&RunInfo; 2], unit: impl Fn(&str) -> Unit) -> Document {
        let [before, after] = names;
        let mut document = Document::new(format!("Comparison of {before} with {after}"));
        document.quick = runs.iter().any(|run| run.quick);
        document.introduction.push(self.introduction());
        document.push(self.runs(names, runs));
        document.push(self.changed(names, &unit));
        let missing = [(before, &self.only_before), (after, &self.only_after)];
        if missing.iter().any(|(_, places)| !places.is_empty()) {
            document.push(only_in_one(missing));
        }
        document
    }

    fn introduction(&self) -> Prose {
        let [increased, decreased, unchanged, undecided] =
            [Direction::Increased, Direction::Decreased, Direction::Unchanged, Direction::Undecided]
                .map(|direction| self.count(direction));
        let total = self.changes.len();
        Prose::new()
            .strong(format!("Of {total} values, {increased} increased and {decreased} decreased."))
            .text(format!(
                " {unchanged} did not change, and {undecided} have too few samples. A value changed if the 99 % \
                 interval of the ratio of the medians does not contain 1, and if the ratio differs from 1 by at \
                 least {:.0} %. By chance alone, about one in a hundred values that vary would satisfy the first \
                 condition.",
                MIN_CHANGE * 100.0
            ))
    }

    /// The environments, and the noise during both runs.
    fn runs(&self, [before, after]: [&str; 2], runs: [&RunInfo; 2]) -> Section {
        let mut section = Section::new("runs", "The two runs");
        let facts = runs.map(|run| Document::for_run("", run).facts);
        let [first, second] = &facts;
        let value = |facts: &[(String, String)], name: &str| {
            facts.iter().find(|(other, _)| other == name).map_or(String::new(), |(_, value)| value.clone())
        };
        let mut table = Table::new("Facts about the runs. Those that differ are marked.")
            .column("")
            .column(before)
            .column(after);
        let further = second.iter().filter(|(name, _)| !first.iter().any(|(other, _)| other == name));
        for (name, _) in first.iter().chain(further) {
            let (one, other) = (value(first, name), value(second, name));
            let label =
                if one == other { Prose::from(name.as_str()) } else { Prose::new().strong(name.as_str()) };
            table.row([Cell::Text(label), Cell::text(one), Cell::text(other)]);
        }
        if let [Some(one), Some(other)] = &self.noise {
            table.row([
                Cell::text("Time of the idle loop"),
                Cell::measured(one.clone(), Unit::Seconds),
                Cell::measured(other.clone(), Unit::Seconds),
            ]);
            if let Some((ratio, _)) =
                median_ratio(other, one, Level::P99).filter(|(ratio, _)| (ratio - 1.0).abs() >= MIN_CHANGE)
            {
                let text = format!(
                    "The idle loop took {} times as long in the second run: the speed of the machine was not the same.",
                    Unit::Ratio.text(ratio)
                );
                section.notice(NoticeKind::Warning, text);
            }
        }
        section.table(table);
        section
    }

    /// The values that changed, largest changes first.
    fn changed(&self, names: [&str; 2], unit: &impl Fn(&str) -> Unit) -> Section {
        let mut section = Section::new("changes", "Changed values");
        let is_changed =
            |change: &&Change| matches!(change.direction, Direction::Increased | Direction::Decreased);
        let mut changes: Vec<&Change> = self.changes.iter().filter(is_changed).collect();
        changes.sort_by(|one, other| other.size().total_cmp(&one.size()).then(one.place.cmp(&other.place)));
        if changes.is_empty() {
            section.paragraph("No value changed.");
            return section;
        }
        let [before, after] = names;
        let mut table = Table::new("Values that changed, largest changes first.")
            .column("Experiment")
            .column("Variant")
            .column("Value")
            .column(before)
            .column(after)
            .column_with("Ratio", format!("{after} to {before}"));
        for change in changes {
            let unit = unit(&change.place.value);
            let ratio = change.ratio.map_or(Cell::Empty, |value| {
                Cell::Computed(Computed {
                    value,
                    interval: change.interval,
                    level: Level::P99,
                    unit: Unit::Ratio,
                })
            });
            table.row([
                Cell::text(change.place.experiment.as_str()),
                Cell::text(change.place.variant.to_string()),
                Cell::text(change.place.value.as_str()),
                Cell::measured(change.before.clone(), unit),
                Cell::measured(change.after.clone(), unit),
                ratio,
            ]);
        }
        section.table(table);
        section
    }
}

fn only_in_one(missing: [(&str, &Vec<Place>); 2]) -> Section {
    let mut section = Section::new("only-in-one", "Values of one run only");
    let mut table = Table::new("Values that cannot be compared.")
        .column("Run")
        .column("Experiment")
        .column("Variant")
        .column("Value");
    for (name, places) in missing {
        for place in places {
            table.row([
                Cell::text(name),
                Cell::text(place.experiment.as_str()),
                Cell::text(place.variant.to_string()),
                Cell::text(place.value.as_str()),
            ]);
        }
    }
    section.table(table);
    section
}
