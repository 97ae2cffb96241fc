//! Generates the manual pages and the shell completions from the definitions in the programs.
//!
//! ```text
//! option definitions of the programs ─────▶ Page ─┬─▶ roff        ─▶ docs/man
//! keys of config and poll ─▶ config_page ─▶ Page ─┴─▶ completions ─▶ docs/completions
//! ```
//! The files committed under `docs` are those that [`files`] returns; a test compares them.

pub mod completions;
mod config_page;
mod pages;
pub mod roff;

use portreeve_usage::Page;

pub use pages::all as pages;

/// Returns every generated file: its path below `docs` and its text.
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

/// Lists the Net-SNMP name of each verb and the page that documents it. `make install` creates
/// links from this list.
fn classic_names(pages: &[Page]) -> String {
    let verbs = pages.iter().filter_map(|page| Some((page.classic_name?, page)));
    verbs.map(|(name, page)| format!("{name} {}.{}\n", page.title(), page.manual_section)).collect()
}
