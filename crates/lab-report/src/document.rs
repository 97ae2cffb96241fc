//! The model of a report: sections with paragraphs, tables and figures.
//!
//! Measured values and values of a paper have different types, so that a report cannot show one as
//! the other. Renderers decide the form; nothing here is HTML.

mod cell;
mod chart;
mod figure;
mod prose;
mod run_facts;
mod table;

pub use cell::{Cell, Computed, Measured};
pub use chart::{
    Axis, Bar, BarRow, Bars, By, Chart, Data, Mark, MarkDirection, PaperPoint, Part, Scaling, Sequence,
    Series, Stack, StackRow,
};
pub use figure::{Figure, Panel, Plot};
pub use prose::{Inline, Prose};
pub use table::{Column, Row, Table};

/// A whole report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The title.
    pub title: String,
    /// Paragraphs before the first section.
    pub introduction: Vec<Prose>,
    /// Facts about the run and the machine, by name.
    pub facts: Vec<(String, String)>,
    /// The run used reduced parameters: every table and figure says so.
    pub quick: bool,
    /// The sections.
    pub sections: Vec<Section>,
}

/// A section, usually of one experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// A short name for links and file names: letters, digits and hyphens.
    pub id: String,
    /// The heading.
    pub title: String,
    /// The parts of papers that the section reproduces, such as `000 Table 2`.
    pub papers: Vec<String>,
    /// The contents.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A paragraph.
    Paragraph(Prose),
    /// A table.
    Table(Table),
    /// A figure with one or more charts.
    Figure(Figure),
    /// A remark that is set apart.
    Notice(Notice),
    /// A statement of a paper or of the lab, and whether the samples support it.
    Verdict(Verdict),
}

/// A remark that is set apart from the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// The kind of remark.
    pub kind: NoticeKind,
    /// The text.
    pub text: Prose,
}

/// The kind of a remark.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NoticeKind {
    /// Something to know when reading the figures.
    Note,
    /// A measurement that was not possible, with the reason.
    Unavailable,
    /// A reason to doubt the figures.
    Warning,
}

/// A statement, and what the samples of this run say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The origin of the statement.
    pub source: Source,
    /// The result of the comparison.
    pub outcome: Outcome,
    /// The statement, in our own words.
    pub claim: Prose,
    /// One sentence that is computed from the samples.
    pub finding: Prose,
}

/// The origin of a statement.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Source {
    /// A paper, with the table or section: `000 Table 2`.
    Paper(&'static str),
    /// The lab itself.
    Lab,
}

/// The result of comparing a statement with samples.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outcome {
    /// The samples support the statement.
    Holds,
    /// The samples support a part of the statement.
    HoldsInPart,
    /// The samples contradict the statement.
    DoesNotHold,
    /// The samples decide nothing.
    NotDecided,
}

impl Document {
    /// Creates a report without sections.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds a section.
    pub fn push(&mut self, section: Section) {
        self.sections.push(section);
    }

    /// Returns all verdicts with the section of each.
    pub fn verdicts(&self) -> impl Iterator<Item = (&Section, &Verdict)> {
        self.sections.iter().flat_map(|section| {
            section.blocks.iter().filter_map(move |block| match block {
                Block::Verdict(verdict) => Some((section, verdict)),
                _ => None,
            })
        })
    }
}

impl Section {
    /// Creates a section without contents.
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self { id: id.into(), title: title.into(), ..Self::default() }
    }

    /// Names a part of a paper that the section reproduces, such as `000 Table 2`.
    #[must_use]
    pub fn reproduces(mut self, part: impl Into<String>) -> Self {
        self.papers.push(part.into());
        self
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: impl Into<Prose>) -> &mut Self {
        self.push(Block::Paragraph(text.into()))
    }

    /// Adds a remark.
    pub fn notice(&mut self, kind: NoticeKind, text: impl Into<Prose>) -> &mut Self {
        self.push(Block::Notice(Notice { kind, text: text.into() }))
    }

    /// Adds a verdict.
    pub fn verdict(
        &mut self,
        source: Source,
        outcome: Outcome,
        claim: impl Into<Prose>,
        finding: impl Into<Prose>,
    ) -> &mut Self {
        let (claim, finding) = (claim.into(), finding.into());
        self.push(Block::Verdict(Verdict { source, outcome, claim, finding }))
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) -> &mut Self {
        self.push(Block::Table(table))
    }

    /// Adds a figure.
    pub fn figure(&mut self, figure: Figure) -> &mut Self {
        self.push(Block::Figure(figure))
    }

    fn push(&mut self, block: Block) -> &mut Self {
        self.blocks.push(block);
        self
    }
}

impl Source {
    /// Returns the text before a statement.
    pub fn text(self) -> String {
        match self {
            Self::Paper(place) => format!("Paper {place}:"),
            Self::Lab => "The lab:".to_owned(),
        }
    }

    /// Reports whether a paper has made the statement.
    pub fn is_paper(self) -> bool {
        matches!(self, Self::Paper(_))
    }
}

impl Outcome {
    /// Combines the parts of a statement: each is supported, contradicted, or not decided (`None`).
    ///
    /// A statement of which no part is supported does not hold if one part is contradicted.
    pub fn of_parts(parts: impl IntoIterator<Item = Option<bool>>) -> Self {
        let parts: Vec<Option<bool>> = parts.into_iter().collect();
        let has = |part| parts.contains(&part);
        if has(Some(true)) {
            if has(Some(false)) || has(None) { Self::HoldsInPart } else { Self::Holds }
        } else if has(Some(false)) {
            Self::DoesNotHold
        } else {
            Self::NotDecided
        }
    }

    /// Returns the word for the outcome.
    pub fn text(self) -> &'static str {
        match self {
            Self::Holds => "Holds",
            Self::HoldsInPart => "Holds in part",
            Self::DoesNotHold => "Does not hold",
            Self::NotDecided => "Not decided",
        }
    }
}

#[cfg(test)]
mod tests;
