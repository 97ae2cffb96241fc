//! Numbers of tables and figures, which all formats share.

use crate::document::{Block, Document, Section};

/// A block with its number.
pub(crate) struct Numbered<'a> {
    pub(crate) block: &'a Block,
    /// Number of the table or figure in the report, from 1. 0 for other blocks.
    pub(crate) number: usize,
}

/// Returns the sections with their blocks, tables and figures being numbered over the whole report.
pub(crate) fn numbered(document: &Document) -> Vec<(&Section, Vec<Numbered<'_>>)> {
    let (mut tables, mut figures) = (0, 0);
    let mut number = |block: &Block| {
        let counter = match block {
            Block::Table(_) => &mut tables,
            Block::Figure(_) => &mut figures,
            _ => return 0,
        };
        *counter += 1;
        *counter
    };
    let mut sections = Vec::with_capacity(document.sections.len());
    for section in &document.sections {
        let blocks = section.blocks.iter().map(|block| Numbered { block, number: number(block) });
        sections.push((section, blocks.collect()));
    }
    sections
}

/// Returns the name of a section for links and files: lower-case letters, digits and hyphens.
pub(crate) fn slug(id: &str) -> String {
    let mut slug = String::new();
    for character in id.chars().take(MAX_SLUG) {
        if character.is_ascii_alphanumeric() {
            slug.push(character.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let trimmed = slug.trim_end_matches('-');
    if trimmed.is_empty() { "section".to_owned() } else { trimmed.to_owned() }
}

/// The heading of the statements of papers.
pub(crate) const PAPERS_HEADING: &str = "What still holds";

/// The heading of the statements that no paper has made.
pub(crate) const LAB_HEADING: &str = "Statements of the lab";

/// The marks that a table or figure of a quick run carries.
pub(crate) const QUICK_MARK: &str = "quick run";

/// The explanation of a quick run at the beginning of its report.
pub(crate) const QUICK_NOTICE: &str = "This run used --quick: reduced parameters and few rounds, to test the lab itself. Its figures are not results.";

const MAX_SLUG: usize = 80;
