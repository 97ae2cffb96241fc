//! A report as one HTML page: no script, no network, all styles and drawings inside.

mod block;
mod cell;
mod figure;
mod prose;
mod table;

use crate::document::{Document, Outcome, Section};
use crate::escape::{escaped, push};
use crate::numbering::{LAB_HEADING, Numbered, PAPERS_HEADING, QUICK_NOTICE, numbered, slug};
use crate::reading;
use crate::svg;

/// Renders the report.
pub fn render(document: &Document) -> String {
    let mut page = String::with_capacity(256 << 10);
    push_head(&mut page, document);
    page.push_str("<body>\n");
    push_header(&mut page, document);
    push_contents(&mut page, document);
    push_verdicts(&mut page, document);
    page.push_str("<main>\n");
    for (section, blocks) in numbered(document) {
        push_section(&mut page, document, section, &blocks);
    }
    page.push_str("</main>\n");
    push_reading(&mut page);
    page.push_str("</body>\n</html>\n");
    page
}

fn push_head(page: &mut String, document: &Document) {
    page.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
    page.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    // The page needs nothing from outside, and text that it quotes cannot load anything.
    page.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    );
    push!(*page, "<title>{}</title>\n", escaped(&document.title));
    let (light, dark) = (svg::LIGHT.trim(), svg::DARK.trim());
    push!(
        *page,
        "<style>\n:root{{color-scheme:light dark;{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    );
    push!(*page, "{}{}</style>\n</head>\n", svg::STYLE, STYLE);
}

fn push_header(page: &mut String, document: &Document) {
    push!(*page, "<header>\n<h1>{}</h1>\n", escaped(&document.title));
    if document.quick {
        push!(*page, "<p class=\"notice warning\" role=\"note\">{QUICK_NOTICE}</p>\n");
    }
    for paragraph in &document.introduction {
        push!(*page, "<p>{}</p>\n", prose::html(paragraph));
    }
    if !document.facts.is_empty() {
        page.push_str("<dl class=\"facts\">\n");
        for (name, value) in &document.facts {
            push!(*page, "<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value));
        }
        page.push_str("</dl>\n");
    }
    page.push_str("</header>\n");
}

fn push_contents(page: &mut String, document: &Document) {
    if document.sections.len() < 2 {
        return;
    }
    page.push_str("<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n");
    for section in &document.sections {
        let papers = section.papers.join(", ");
        let papers = if papers.is_empty() { papers } else { format!(" <small>{}</small>", escaped(&papers)) };
        push!(*page, "<li><a href=\"#{}\">{}</a>{papers}</li>\n", slug(&section.id), escaped(&section.title));
    }
    push!(*page, "<li><a href=\"#reading\">{}</a></li>\n</ol>\n</nav>\n", reading::HEADING);
}

/// Lists all statements with their results: those of the papers, and those of the lab.
fn push_verdicts(page: &mut String, document: &Document) {
    for (id, heading, is_paper) in [("at-a-glance", PAPERS_HEADING, true), ("of-the-lab", LAB_HEADING, false)]
    {
        let verdicts = || document.verdicts().filter(|(_, verdict)| verdict.source.is_paper() == is_paper);
        if verdicts().next().is_none() {
            continue;
        }
        push!(*page, "<section class=\"glance\" id=\"{id}\">\n<h2>{heading}</h2>\n<ul>\n");
        for (section, verdict) in verdicts() {
            let source = if is_paper { format!("{} ", verdict.source.text()) } else { String::new() };
            push!(
                *page,
                "<li class=\"{}\"><a href=\"#{}\"><b>{}</b></a> <span>{source}{}</span> <small>{}</small></li>\n",
                outcome_class(verdict.outcome),
                slug(&section.id),
                verdict.outcome.text(),
                prose::html(&verdict.claim),
                prose::html(&verdict.finding)
            );
        }
        page.push_str("</ul>\n</section>\n");
    }
}

fn push_section(page: &mut String, document: &Document, section: &Section, blocks: &[Numbered<'_>]) {
    push!(*page, "<section id=\"{}\">\n<h2>{}", slug(&section.id), escaped(&section.title));
    for paper in &section.papers {
        push!(*page, " <span class=\"chip\">{}</span>", escaped(paper));
    }
    page.push_str("</h2>\n");
    for numbered in blocks {
        block::push(page, numbered, document.quick);
    }
    page.push_str("</section>\n");
}

/// Appends the explanation of the forms that tables and figures use.
fn push_reading(page: &mut String) {
    push!(*page, "<footer id=\"reading\"><h2>{}</h2>\n", reading::HEADING);
    for paragraph in reading::PARAGRAPHS {
        push!(*page, "<p>{}</p>\n", escaped(paragraph));
    }
    page.push_str("</footer>\n");
}

/// The class that gives an outcome its colour and its sign.
fn outcome_class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Holds => "holds",
        Outcome::HoldsInPart => "part",
        Outcome::DoesNotHold => "fails",
        Outcome::NotDecided => "open",
    }
}

const STYLE: &str = include_str!("html/style.css");

#[cfg(test)]
mod tests;
