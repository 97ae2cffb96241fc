//! The page of a configuration file, from the definitions of its keys.

use portreeve_config::options::{Kind, Opt, Section as Table};
use portreeve_usage::{Block, Page, Section};

/// A page with a section for each table of the file.
pub(crate) fn page(name: &str, summary: &str, example: &str, tables: &[&Table]) -> Page {
    let mut sections: Vec<_> = tables.iter().map(|table| section(table)).collect();
    sections.push(Section::new("EXAMPLES", [Block::code(example)]));
    Page { sections, ..Page::new(name, 5, summary) }
}

fn section(table: &Table) -> Section {
    let blocks = std::iter::once(Block::text(table.doc)).chain(table.options.iter().map(key));
    Section::new(table.heading(), blocks)
}

fn key(option: &Opt) -> Block {
    let mut text = vec![option.doc.to_owned(), format!("Accepted: {}.", accepted(option))];
    if !option.default.is_empty() {
        text.push(format!("Default: {}.", option.default));
    }
    text.push(format!("Example: `{} = {}`", option.name, option.example));
    Block::Item { term: format!("{} ({})", option.name, kind(option.kind)), text }
}

fn accepted(option: &Opt) -> &str {
    option.accepted.trim_end_matches('.')
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "string",
        Kind::Secret => "string, secret",
        Kind::Switch => "true or false",
        Kind::List => "list of strings",
        Kind::Number { .. } => "integer",
    }
}
