//! Problems of a schema that keep the agent from serving it.

use std::fmt;

use portreeve_yang::{NodeId, Schema};

/// A statement of a module that the agent cannot serve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The name of the module's file and the line of the statement, counted from 1.
    pub place: Option<(String, u32)>,
    /// The path of the node in the schema.
    pub path: String,
    /// The fault.
    pub text: String,
}

/// All problems of a schema; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl Problem {
    /// Creates a problem of the statement that defines a node.
    pub(crate) fn at(schema: &Schema, id: NodeId, text: String) -> Self {
        Self { place: place_of(schema, id), path: schema.schema_path(id), text }
    }
}

/// Returns the file and the line of the statement that defines a node.
fn place_of(schema: &Schema, id: NodeId) -> Option<(String, u32)> {
    schema.location(id).map(|(file, line)| (file.to_owned(), line))
}

/// Returns the place of a node for messages: file and line, or its path.
pub(crate) fn describe_place(schema: &Schema, id: NodeId) -> String {
    match place_of(schema, id) {
        Some((file, line)) => format!("{file}:{line}"),
        None => schema.schema_path(id),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line)) = &self.place {
            write!(f, "{file}:{line}: ")?;
        }
        write!(f, "{}: {}", self.path, self.text)
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, problem) in self.0.iter().enumerate() {
            let separator = if position == 0 { "" } else { "\n" };
            write!(f, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
