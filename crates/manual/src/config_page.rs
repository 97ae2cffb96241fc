//! The manual page of a configuration file, generated from the definitions of its options.

use portreeve_config::options::{OptionDefinition, Section as Table, ValueType};
use portreeve_usage::{Block, Page, Section};

/// Creates a page with one section for each table of the file.
pub(crate) fn page(name: &str, summary: &str, example: &str, tables: &[&Table]) -> Page {
    let mut sections: Vec<_> = tables.iter().map(|table| section(table)).collect();
    sections.push(Section::new("EXAMPLES", [Block::code(example)]));
    Page { sections, ..Page::new(name, 5, summary) }
}

fn section(table: &Table) -> Section {
    let blocks = std::iter::once(Block::text(table.doc)).chain(table.options.iter().map(key));
    Section::new(table.heading(), blocks)
}

fn key(option: &OptionDefinition) -> Block {
    let mut text = vec![option.doc.to_owned(), format!("Accepted: {}.", accepted(option))];
    if !option.default.is_empty() {
        text.push(format!("Default: {}.", option.default));
    }
    text.push(format!("Example: `{} = {}`", option.name, option.example));
    Block::Item { term: format!("{} ({})", option.name, kind(option.kind)), text }
}

fn accepted(option: &OptionDefinition) -> &str {
    option.accepted.trim_end_matches('.')
}

fn kind(kind: ValueType) -> &'static str {
    match kind {
        ValueType::Text => "string",
        ValueType::Secret => "string, secret",
        ValueType::Boolean => "true or false",
        ValueType::List => "list of strings",
        ValueType::Number { .. } => "integer",
    }
}
