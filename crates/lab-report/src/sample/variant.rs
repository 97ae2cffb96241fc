//! The variant of an experiment: a value for each axis.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A value for each axis of an experiment, such as `stack` → `v2c/udp`.
///
/// Variants are equal whatever the order in which their axes were added.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Variant(BTreeMap<String, String>);

impl Variant {
    /// Creates a variant from pairs of axis and value.
    pub fn of<A: Into<String>, V: Into<String>>(axes: impl IntoIterator<Item = (A, V)>) -> Self {
        Self(axes.into_iter().map(|(axis, value)| (axis.into(), value.into())).collect())
    }

    /// Returns the variant with one more axis, or another value for it.
    #[must_use]
    pub fn and(mut self, axis: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.insert(axis.into(), value.into());
        self
    }

    /// Returns the value of an axis.
    pub fn get(&self, axis: &str) -> Option<&str> {
        self.0.get(axis).map(String::as_str)
    }

    /// Returns the axes and their values, in the order of the axes' names.
    pub fn axes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(axis, value)| (axis.as_str(), value.as_str()))
    }

    /// Reports whether the variant has no axes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Variant {
    /// Writes `axis=value` pairs with spaces between them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (axis, value)) in self.axes().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{axis}={value}")?;
        }
        Ok(())
    }
}
