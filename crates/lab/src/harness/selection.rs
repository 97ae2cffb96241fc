//! The experiments that the words of a command line select.

use super::Experiment;
use crate::error::Result;

/// Returns the experiments in the order of the registry, each once. A word is the name of an
/// experiment, the number of a paper, or `all`.
pub(super) fn select(
    words: &[String],
    known: &'static [&'static Experiment],
) -> Result<Vec<&'static Experiment>> {
    if words.is_empty() {
        return Err("no experiment given\nhint: see `portreeve lab list`".into());
    }
    let is_selected = |experiment: &Experiment, word: &String| word == "all" || experiment.matches(word);
    if let Some(word) =
        words.iter().find(|word| !known.iter().any(|experiment| is_selected(experiment, word)))
    {
        return Err(format!("unknown experiment '{word}'\nhint: see `portreeve lab list`").into());
    }
    let selected = known.iter().filter(|experiment| words.iter().any(|word| is_selected(experiment, word)));
    Ok(selected.copied().collect())
}

#[cfg(test)]
mod tests;
