use super::*;
use crate::test_support::{HOSTILE, document};

#[test]
fn tables_have_the_same_number_of_cells_in_each_row() {
    for content in ["Text", HOSTILE] {
        let text = render(&document(content));
        let mut columns = 0;
        let mut tables = 0;
        for line in text.lines() {
            let cells = line.replace("\\|", "").matches('|').count();
            if !line.starts_with('|') {
                columns = 0;
            } else if columns == 0 {
                (columns, tables) = (cells, tables + 1);
            } else {
                assert_eq!(cells, columns, "{line}");
            }
        }
        // The facts, one table, and the data of four charts.
        assert_eq!(tables, 6);
    }
}

#[test]
fn values_have_their_statistics_and_sources() {
    let text = render(&document("Text")).replace('\u{a0}', " ");
    assert!(
        text.contains(
            "| **1.05 ms** (95 % 1.01–1.08, min 1, n 10) | *16.17 ms* (paper) | **480** (computed) |"
        ),
        "{text}"
    );
    assert!(text.contains("| not available: Text |"));
    assert!(text.contains("\n**Table 1.** Text\n") && text.contains("\n**Figure 2.** Text\n"));
    assert!(text.contains("\n- **Holds.** Paper 000 Table 2: Text Text\n"));
}

#[test]
fn statements_of_the_lab_are_listed_under_a_heading_of_their_own() {
    let text = render(&document("Text"));
    let (papers, lab) = text.split_once("## Statements of the lab").unwrap();
    let (lab, _) = lab.split_once("\n## ").unwrap();
    assert!(papers.contains("## What still holds") && !papers.contains("The lab:"), "{papers}");
    assert!(lab.contains("- **Not decided.** The lab: Text Text") && !lab.contains("Paper"), "{lab}");
}

#[test]
fn quick_run_is_marked_at_each_table_and_figure() {
    let mut document = document("Text");
    assert!(!render(&document).contains("quick"));
    document.quick = true;
    assert_eq!(render(&document).matches("** (quick run) ").count(), 3);
}

#[test]
fn markup_in_texts_is_escaped() {
    assert_eq!(
        escape("a|b <c> [d](e) *f* `g` & _h_\ni"),
        "a\\|b &lt;c&gt; \\[d\\](e) \\*f\\* \\`g\\` &amp; \\_h\\_ i"
    );
    assert_eq!(escape("# a # b"), "\\# a # b");
    assert_eq!(escape("- a - b"), "\\- a - b");
    assert_eq!(escape("12. a 3. b"), "12\\. a 3. b");
    assert_eq!(escape("1.5 ms"), "1.5 ms");
    assert_eq!(escape("v2c/UDP over 1.5 ms"), "v2c/UDP over 1.5 ms");
    assert_eq!(escape("\u{1b}[2J\u{202e}"), "�\\[2J�");
}

#[test]
fn code_has_a_fence_that_it_cannot_end() {
    assert_eq!(code("snmpget -v 2c"), "`snmpget -v 2c`");
    assert_eq!(code("a``b|c"), "```a``b\\|c```");
    assert_eq!(code("`a`"), "`` `a` ``");
}

#[test]
fn no_html_of_a_text_survives() {
    let text = render(&document(HOSTILE));
    // Code is shown literally, here between two backticks each; everything else is escaped.
    let outside: String = text.split("``").step_by(2).collect();
    assert!(!outside.contains("<script"), "{outside}");
}

#[test]
fn both_formats_explain_the_marks_of_values_in_the_same_words() {
    let document = document("Text");
    let [markdown, html] = [render(&document), crate::html::render(&document)];
    assert!(markdown.contains("\n## Reading the figures\n") && html.contains("<h2>Reading the figures</h2>"));
    for explained in ["is marked with t:", "marked as computed follows from"] {
        assert!(markdown.contains(explained) && html.contains(explained), "{explained}");
    }
}
