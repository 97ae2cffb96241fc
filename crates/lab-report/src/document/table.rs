//! Tables of a report.

use super::{Cell, Prose};

/// A table with a caption.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The caption.
    pub caption: Prose,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The heading.
    pub heading: Prose,
    /// A second line of the heading, such as the unit or the program.
    pub detail: String,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// A cell for each column. Missing cells are empty, and further cells are not shown.
    Cells(Vec<Cell>),
    /// A heading of the rows that follow.
    Heading(Prose),
}

impl Table {
    /// Creates a table without columns and rows.
    pub fn new(caption: impl Into<Prose>) -> Self {
        Self { caption: caption.into(), ..Self::default() }
    }

    /// Adds a column.
    #[must_use]
    pub fn column(self, heading: impl Into<Prose>) -> Self {
        self.column_with(heading, "")
    }

    /// Adds a column with a second line in its heading.
    #[must_use]
    pub fn column_with(mut self, heading: impl Into<Prose>, detail: impl Into<String>) -> Self {
        self.columns.push(Column { heading: heading.into(), detail: detail.into() });
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) -> &mut Self {
        self.rows.push(Row::Cells(cells.into_iter().collect()));
        self
    }

    /// Adds a heading of the rows that follow.
    pub fn heading(&mut self, text: impl Into<Prose>) -> &mut Self {
        self.rows.push(Row::Heading(text.into()));
        self
    }
}
