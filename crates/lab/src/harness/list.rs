//! `lab list`: the experiments, and what each of them needs.

use std::io;

use portreeve_table::Table;

use super::Experiment;

/// Prints one row for each experiment.
pub(crate) fn list(known: &[&Experiment]) {
    let mut table = Table::new(4, &["experiment", "measures", "papers", "needs"]).droppable(&[3]);
    for experiment in known {
        let needs: Vec<String> = experiment.needs.iter().map(ToString::to_string).collect();
        table.add_row(vec![
            experiment.name.to_owned(),
            experiment.title.to_owned(),
            experiment.papers.join(", "),
            needs.join(", "),
        ]);
    }
    print!("{}", table.fitted(portreeve_table::line_width(io::stdout())));
}
