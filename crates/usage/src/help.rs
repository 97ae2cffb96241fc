//! Lines of a `--help`.

/// Two columns, indented by two: what is written, and what it does.
pub fn table<'t>(rows: impl IntoIterator<Item = (String, &'t str)>) -> String {
    let rows: Vec<_> = rows.into_iter().collect();
    let width = rows.iter().map(|(written, _)| written.chars().count()).max().unwrap_or_default();
    rows.iter().map(|(written, does)| format!("  {written:width$}  {does}\n")).collect()
}

#[cfg(test)]
mod tests;
