use super::*;
use crate::document::{Block, Cell, Figure, Table};
use crate::test_support::{HOSTILE, assert_well_formed, bars, document, sequence};

#[test]
fn page_is_well_formed() {
    for text in ["Text", "", HOSTILE] {
        let page = render(&document(text));
        assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
        let names = assert_well_formed(&page);
        for name in ["h1", "dl", "nav", "table", "figure", "svg", "figcaption", "footer"] {
            assert!(names.iter().any(|other| other == name), "{name}");
        }
    }
}

#[test]
fn hostile_texts_are_shown_and_not_interpreted() {
    let plain = assert_well_formed(&render(&document("Text")));
    let page = render(&document(HOSTILE));
    // The same elements: no text has added one. Hints of shortened labels are the exception.
    let without_hints =
        |names: Vec<String>| names.into_iter().filter(|name| name != "title").collect::<Vec<_>>();
    assert_eq!(without_hints(assert_well_formed(&page)), without_hints(plain));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &quot;&#39; onerror=x &amp;lt;"));
    assert!(!page.contains('\u{202e}') && !page.contains('\0'));
}

#[test]
fn page_needs_no_network_and_no_script() {
    let page = render(&document("Text")).replace("http://www.w3.org/2000/svg", "");
    for forbidden in
        ["http:", "https:", "//", "<script", "<link", "<img", "url(", "@import", "src=", "javascript:", " on"]
    {
        let found = page.split(forbidden).nth(1).filter(|_| forbidden != " on");
        assert_eq!(found, None, "{forbidden}");
    }
    assert!(page.split("href=\"").skip(1).all(|link| link.starts_with('#')));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn statements_of_the_lab_have_a_list_of_their_own() {
    let page = render(&document("Text"));
    let list = |id: &str| {
        let (_, list) = page.split_once(&format!("id=\"{id}\"")).unwrap();
        list.split("</section>").next().unwrap().to_owned()
    };
    let (papers, lab) = (list("at-a-glance"), list("of-the-lab"));
    assert!(papers.contains("<span>Paper 000 Table 2: Text</span>") && !papers.contains("Not decided"));
    assert!(lab.contains("<b>Not decided</b></a> <span>Text</span>") && !lab.contains("Paper"), "{lab}");
}

#[test]
fn links_lead_to_sections() {
    let page = render(&document("Some <text>: 1"));
    for link in page.split("href=\"#").skip(1).map(|link| link.split('"').next().unwrap()) {
        assert!(page.contains(&format!(" id=\"{link}\"")), "{link}");
    }
    assert!(page.contains("<section id=\"some-text-1\">"));
}

#[test]
fn each_table_and_figure_of_a_quick_run_says_so() {
    let mut document = document("Text");
    assert!(!render(&document).contains("quick run"));
    document.quick = true;
    let page = render(&document);
    // One table and two figures.
    assert_eq!(page.matches("<span class=\"chip quick\">quick run</span>").count(), 3);
    assert!(page.contains("Its figures are not results."));
}

#[test]
fn each_measured_value_has_its_statistics() {
    let page = render(&document("Text")).replace('\u{a0}', " ");
    assert!(
        page.contains("<td class=\"num\"><b>1.05 ms</b><small>95 % 1.01–1.08<br>min 1 · n 10</small></td>"),
        "{page}"
    );
    assert!(page.contains("<td class=\"num ref\"><b>16.17 ms</b><small>paper</small></td>"));
    assert!(page.contains("<td class=\"none\"><b>not available</b><small>Text</small></td>"));
    // Chart and bars: the smallest and the largest number of measurements.
    assert!(page.contains(">n = 10.</span>") && page.contains(">n = 3–10.</span>"));
}

#[test]
fn tables_and_figures_are_numbered_over_the_whole_report() {
    let mut document = document("Text");
    let mut section = Section::new("third", "Third");
    section.table(Table::new("Last").column("a")).figure(Figure::new("Last", bars("a")));
    document.push(section);
    let page = render(&document);
    assert!(page.contains("<b>Table 2.</b> Last") && page.contains("<b>Figure 3.</b> Last"));
}

#[test]
fn single_chart_is_drawn_for_both_widths_and_several_once() {
    let count = |figure: Figure| {
        let mut section = Section::new("a", "A");
        section.figure(figure);
        let mut document = Document::new("Report");
        document.push(section);
        render(&document).matches("<svg ").count()
    };
    assert_eq!(count(Figure::new("a", bars("a"))), 2);
    assert_eq!(count(Figure::of("a").panel("b", bars("a")).panel("c", sequence("a", 3))), 2);
}

#[test]
fn long_table_is_cut_and_says_so() {
    let mut table = Table::new("Long").column("a").column("b");
    for row in 0..600 {
        table.row([Cell::text(row.to_string())]);
    }
    let mut section = Section::new("a", "A");
    section.table(table);
    let mut document = Document::new("Report");
    document.push(section);
    let page = render(&document);
    assert_eq!(page.matches("<tr><th scope=\"row\">").count(), 500);
    assert!(page.contains("100 more rows are in the CSV file."));
}

#[test]
fn same_report_gives_the_same_octets() {
    assert_eq!(render(&document("Text")), render(&document("Text")));
    let mut other = document("Text");
    if let Some(Block::Table(table)) =
        other.sections[0].blocks.iter_mut().find(|block| matches!(block, Block::Table(_)))
    {
        table.row([Cell::text("one more")]);
    }
    assert_ne!(render(&document("Text")), render(&other));
}
