//! Tests that the committed files match the definitions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

use std::{collections::BTreeSet, fs, path::Path};

use portreeve_usage::Block;

#[test]
fn committed_manual_pages_and_completions_are_up_to_date() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let files = portreeve_manual::files();
    for (path, text) in &files {
        let committed = fs::read_to_string(docs.join(path)).unwrap_or_default();
        assert!(committed == *text, "docs/{path} is stale: run `cargo run -p portreeve-manual -- docs`");
    }
    let known: BTreeSet<_> = files.iter().map(|(path, _)| docs.join(path)).collect();
    let directories = ["man", "completions/bash", "completions/zsh", "completions/fish"];
    for entry in directories.iter().flat_map(|directory| fs::read_dir(docs.join(directory)).unwrap()) {
        let path = entry.unwrap().path();
        assert!(known.contains(&path), "{path:?} is obsolete: run `cargo run -p portreeve-manual -- docs`");
    }
}

#[test]
fn portreeve_manual_pages_listed_in_see_also_exist() {
    let pages = portreeve_manual::pages();
    let known: BTreeSet<_> =
        pages.iter().map(|page| format!("{}({})", page.title(), page.manual_section)).collect();
    let named = pages.iter().flat_map(|page| &page.see_also);
    for name in named.filter(|name| name.starts_with("portreeve")) {
        assert!(known.contains(name), "{name}");
    }
}

#[test]
fn code_examples_in_manual_pages_fit_80_columns() {
    let pages = portreeve_manual::pages();
    for page in &pages {
        let texts = page.description.iter().chain(page.sections.iter().flat_map(|section| &section.blocks));
        for text in texts {
            let Block::Code(code) = text else { continue };
            for line in code.lines() {
                // A page is 80 columns wide and indents code by nine columns.
                assert!(line.chars().count() <= 71, "{}: {line}", page.name);
            }
        }
    }
}
