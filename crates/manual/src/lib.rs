//! The manual pages and the completions, made of what the programs say about themselves.
//!
//! ```text
//! cli, agent, relay, keys, poll, simulate, lab ─▶ Page ─┬─▶ roff         ─▶ docs/man
//! config's and poll's options ─▶ settings ──────────────┘└─▶ completions ─▶ docs/completions
//! ```
//! What is committed below `docs` is what [`files`] returns; a test fails where it is not.

pub mod completions;
mod config_page;
mod pages;
pub mod roff;

use portreeve_usage::Page;

pub use pages::all as pages;

/// Every file, as its path below `docs` and its text.
pub fn files() -> Vec<(String, String)> {
    let pages = pages();
    let mut files: Vec<_> = pages
        .iter()
        .map(|page| (format!("man/{}.{}", page.title(), page.manual_section), roff::render(page)))
        .collect();
    files.push(("man/classic-names".to_owned(), classic_names(&pages)));
    files.extend(completions::files(&pages));
    files
}

/// Net-SNMP's name of each verb and the page that explains it: what `make install` makes links of.
fn classic_names(pages: &[Page]) -> String {
    let named = pages.iter().filter_map(|page| Some((page.classic_name?, page)));
    named.map(|(name, page)| format!("{name} {}.{}\n", page.title(), page.manual_section)).collect()
}
