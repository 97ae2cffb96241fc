//! Metrics in Prometheus' text exposition format 0.0.4; names, types, help and labels come from the
//! objects' definitions.
//!
//! | object | metric |
//! |---|---|
//! | counter | counter with the object's name |
//! | other number | gauge with the object's name |
//! | enumeration IANAifType | info: gauge `NAME_info`, always 1, with the value's name as label `NAME` |
//! | anything else | gauge with the object's name, always 1; the value is a label with the same name |
//!
//! Index values are labels named after their objects. Objects without a definition are omitted.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::{Display, Write as _},
};

use portreeve_mib::{Object, index::IndexParts, names, object::RowIndex};
use portreeve_smi::{Oid, Value, display_arcs};

use super::text;
use crate::poller::Variable;

/// Collects metrics, grouped by name.
#[derive(Default)]
pub(super) struct Exposition {
    families: BTreeMap<String, Family>,
}

struct Family {
    kind: &'static str,
    help: String,
    samples: String,
}

impl Exposition {
    /// Adds a metric of the poller itself.
    pub(super) fn add_metric(
        &mut self,
        (name, kind, help): (&str, &'static str, &str),
        labels: &[(&str, &str)],
        value: impl Display,
    ) {
        self.add_sample(name, kind, || help.to_owned(), labels, value);
    }

    /// Adds one sample for each variable of an agent, except the variables in `columns`. Each
    /// sample gets `labels`. The values of `columns` in the same row become further labels.
    pub(super) fn add_variables<'v>(
        &mut self,
        variables: impl Iterator<Item = &'v Variable>,
        columns: &[Oid],
        labels: &[(&str, &str)],
    ) {
        // A variable that was read twice appears only once in the map.
        let variables: BTreeMap<&Oid, Value<'_>> =
            variables.map(|(name, value)| (name, value.as_value())).collect();
        let rows = LabelRows::of(&variables, columns);
        for (name, value) in &variables {
            self.add_variable(name, *value, &rows, labels);
        }
    }

    /// Returns the text, with families sorted by name.
    pub(super) fn finish(self) -> String {
        let mut text = String::new();
        for (name, Family { kind, help, samples }) in self.families {
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{samples}");
        }
        text
    }

    fn add_variable(&mut self, name: &Oid, value: Value<'_>, rows: &LabelRows<'_>, common: &[(&str, &str)]) {
        let Some(resolved) = names::resolve(name) else { return };
        let object = resolved.object;
        let Some(syntax) = object.syntax() else { return };
        if rows.columns.contains(&object) || value.is_exception() || matches!(value, Value::Null) {
            return;
        }
        let mut labels: Vec<(&str, String)> =
            common.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        if let Some(index) = object.index() {
            let mut parts = IndexParts::new(index, resolved.suffix);
            let own: Vec<_> = parts.by_ref().map(|part| (part.object.name, text::index(&part))).collect();
            if parts.rest().is_empty() && own.len() == index.objects.len() {
                labels.extend(own);
            } else {
                labels.push(("index", text::dotted(resolved.suffix)));
            }
            for (column, value) in rows.labels(index, resolved.suffix) {
                add_label(&mut labels, column.name, text::label(column.syntax(), value));
            }
        }
        let mut metric = object.name.to_owned();
        let (kind, number) = match (value, text::number(value)) {
            (Value::Integer(number), _) if is_info(object) => {
                metric.push_str("_info");
                let label = syntax.label(number).map_or_else(|| number.to_string(), str::to_owned);
                add_label(&mut labels, object.name, label);
                ("gauge", "1".to_owned())
            }
            (Value::Counter32(_) | Value::Counter64(_), Some(number)) => ("counter", number),
            (_, Some(number)) => ("gauge", number),
            (_, None) => {
                add_label(&mut labels, object.name, text::label(Some(syntax), value));
                ("gauge", "1".to_owned())
            }
        };
        let labels: Vec<(&str, &str)> = labels.iter().map(|(name, value)| (*name, &**value)).collect();
        self.add_sample(&metric, kind, || help(object), &labels, number);
    }

    fn add_sample(
        &mut self,
        name: &str,
        kind: &'static str,
        help: impl FnOnce() -> String,
        labels: &[(&str, &str)],
        value: impl Display,
    ) {
        let family = match self.families.get_mut(name) {
            Some(family) => family,
            None => {
                let help = help().replace('\\', "\\\\").replace('\n', " ");
                self.families.entry(name.to_owned()).or_insert(Family { kind, help, samples: String::new() })
            }
        };
        // The type of a family is fixed by its first sample, even if another agent returns a
        // different type.
        let line = &mut family.samples;
        line.push_str(name);
        let mut before = '{';
        for (label, value) in labels {
            let _ = write!(line, "{before}{label}=");
            text::quote(line, value);
            before = ',';
        }
        if before == ',' {
            line.push('}');
        }
        let _ = writeln!(line, " {value}");
    }
}

/// The label columns, and their values by row.
struct LabelRows<'v> {
    columns: Vec<&'static Object>,
    values: HashMap<(&'static str, &'v [u32]), Value<'v>>,
}

impl<'v> LabelRows<'v> {
    fn of(variables: &BTreeMap<&'v Oid, Value<'v>>, columns: &[Oid]) -> Self {
        let columns: Vec<_> = columns.iter().filter_map(|name| Some(names::resolve(name)?.object)).collect();
        let mut values = HashMap::new();
        for column in &columns {
            let below = variables.iter().skip_while(|(name, _)| !name.starts_with(column.arcs()));
            for (name, value) in below.take_while(|(name, _)| name.starts_with(column.arcs())) {
                if let Some(suffix) = name.arcs().get(column.arcs().len()..) {
                    values.insert((column.name, suffix), *value);
                }
            }
        }
        Self { columns, values }
    }

    /// Returns the labels of the row with this index.
    fn labels<'r>(
        &'r self,
        index: RowIndex,
        row: &'r [u32],
    ) -> impl Iterator<Item = (&'static Object, Value<'v>)> + 'r {
        let alike = move |column: &&'static Object| {
            column.index().is_some_and(|other| {
                other
                    .objects
                    .iter()
                    .map(|object| object.name)
                    .eq(index.objects.iter().map(|object| object.name))
            })
        };
        let columns = self.columns.iter().copied().filter(alike);
        columns.filter_map(move |column| Some((column, *self.values.get(&(column.name, row))?)))
    }
}

/// Adds a label, unless a label with its name already exists.
fn add_label<'n>(labels: &mut Vec<(&'n str, String)>, name: &'n str, value: String) {
    if labels.iter().all(|(known, _)| *known != name) {
        labels.push((name, value));
    }
}

/// Returns true for an enumeration whose value names matter more than its numbers.
fn is_info(object: &Object) -> bool {
    let convention = object.syntax().and_then(|syntax| syntax.convention);
    convention.is_some_and(|convention| convention.name == "IANAifType")
}

fn help(object: &Object) -> String {
    let words: Vec<&str> = object.description.split_whitespace().collect();
    format!("{} - {}", words.join(" "), display_arcs(object.arcs()).to_string().trim_start_matches('.'))
}

#[cfg(test)]
mod tests;
