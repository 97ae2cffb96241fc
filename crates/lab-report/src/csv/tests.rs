use super::*;
use crate::document::{Section, Table};
use crate::test_support::{HOSTILE, document, times};
use crate::unit::Unit;

/// Splits a line without quoted line feeds into fields.
fn fields_of(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            other => field.push(other),
        }
    }
    fields.push(field);
    fields
}

fn file(name: &str, text: &str) -> Vec<Vec<String>> {
    let files = files(&document(text));
    let (_, contents) = files.iter().find(|(other, _)| other == name).expect("file");
    contents.lines().map(fields_of).collect()
}

#[test]
fn each_table_and_figure_has_a_file() {
    let names: Vec<String> = files(&document("One Walk")).into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        [
            "table-01-one-walk.csv",
            "figure-01-one-walk.csv",
            "figure-02-one-walk.csv",
            "figure-02-one-walk-messages.csv"
        ]
    );
    assert!(files(&document(HOSTILE)).iter().all(|(name, _)| {
        name.chars().all(|character| character.is_ascii_alphanumeric() || "-.".contains(character))
    }));
}

#[test]
fn measured_value_has_all_its_statistics_with_all_digits() {
    let mut table = Table::new("Times").column("Protocol").column_with("Time", "Portreeve");
    table.row([Cell::text("UDP"), Cell::measured(times(1.0 / 3.0), Unit::Seconds)]);
    let mut section = Section::new("a", "A");
    section.table(table);
    let mut document = Document::new("Report");
    document.push(section);
    let (_, text) = files(&document).remove(0);
    let summary = times(1.0 / 3.0);
    let interval = summary.median_interval(Level::P95).unwrap();
    let expected = format!(
        "group,row,column,detail,source,statistic,value,unit,n,minimum,median,mean,deviation,low,high,level,reason\n\
         ,UDP,Time,Portreeve,measured,median,{0},seconds,10,{1},{0},{2},{3},{4},{5},0.95 of the median,\n",
        summary.median, summary.minimum, summary.mean, summary.deviation, interval.low, interval.high
    );
    assert_eq!(text, expected);
    assert!(text.contains("0.3333333333333333,"));
}

#[test]
fn rows_have_as_many_fields_as_the_header() {
    for text in ["Text", HOSTILE] {
        for (name, contents) in files(&document(text)) {
            let rows: Vec<Vec<String>> = contents.lines().map(fields_of).collect();
            assert!(rows.len() > 1, "{name}");
            assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{name}: {rows:?}");
        }
    }
}

#[test]
fn sources_and_reasons_are_named() {
    let rows = file("table-01-text.csv", "Text");
    let column = |name: &str| rows[0].iter().position(|heading| heading == name).unwrap();
    let sources: Vec<&str> = rows[1..].iter().map(|row| row[column("source")].as_str()).collect();
    assert_eq!(sources, ["measured", "paper", "computed", "unavailable"]);
    assert_eq!(rows[2][column("value")], "0.01617");
    assert_eq!((rows[4][column("reason")].as_str(), rows[4][column("value")].as_str()), ("Text", ""));
    assert!(rows[1..].iter().all(|row| row[column("group")] == "Text"));
}

#[test]
fn points_of_a_figure_have_their_x_and_their_program() {
    let rows = file("figure-01-text.csv", "Text");
    assert_eq!(rows[0][..5], ["panel", "series", "x", "x unit", "source"]);
    assert_eq!(rows[1][1..5], ["Text", "1", "count", "portreeve"]);
    assert_eq!(rows[4][1..5], ["Text", "1", "count", "snmpd"]);
    assert_eq!(rows[7][1..5], ["Text", "1", "count", "paper"]);
    // Three points for each of two programs, two of the paper, two computed, one unavailable, two
    // marks.
    assert_eq!(rows.len(), 1 + 6 + 2 + 2 + 1 + 2);
}

#[test]
fn messages_are_listed_in_their_order() {
    let rows = file("figure-02-text-messages.csv", "Text");
    assert_eq!(rows.len(), 8);
    assert_eq!(rows[1], ["Text", "0", "manager", "Text", "66", "Text"]);
}

#[test]
fn texts_are_never_formulas() {
    let mut text = String::new();
    push_row(&mut text, ["=1+1", "-2.5", "a\nb", "@x"]);
    assert_eq!(text, "'=1+1,-2.5,a b,'@x\n");
}
