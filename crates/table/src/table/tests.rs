use super::Table;

fn files() -> Table {
    let mut table = Table::new(4, &["FILE", "FOR", "UNTIL", "PRINT"]).with_indent(2).break_before(&[3, 1]);
    let cells = |row: [&str; 4]| row.map(str::to_owned).into();
    table.add_row(cells(["hosts/gw/cert.pem", "gw", "2029-02-24", "sha256:94:E9:EA:24"]));
    table.add_row(cells(["ca.crl", "", "2036-11-19", ""]));
    table
}

#[test]
fn columns_are_as_wide_as_their_widest_cell() {
    let mut table = Table::new(1, &["work", "req/s"]);
    table.add_row(vec!["get".into(), "1 000".into()]);
    table.add_row(vec!["getbulk".into(), "7".into()]);
    assert_eq!(table.unwrapped(), "work     req/s\nget      1 000\ngetbulk      7\n");
}

#[test]
fn table_that_fits_the_width_is_unchanged() {
    let whole = files().unwrapped();
    let widest = whole.lines().map(str::len).max();
    assert_eq!(files().fitted(widest), whole);
    assert_eq!(files().fitted(Some(1000)), whole);
}

#[test]
fn table_rows_wrap_only_as_often_as_the_width_requires() {
    let narrow = "  FILE               FOR  UNTIL\n      PRINT\n  hosts/gw/cert.pem  gw   2029-02-24\n      \
                  sha256:94:E9:EA:24\n  ca.crl                  2036-11-19\n";
    assert_eq!(files().fitted(Some(40)), narrow);
    assert_eq!(files().fitted(Some(36)), narrow);
    let narrower = "  FILE\n      FOR  UNTIL\n      PRINT\n  hosts/gw/cert.pem\n      gw   2029-02-24\n      \
                    sha256:94:E9:EA:24\n  ca.crl\n           2036-11-19\n";
    assert_eq!(files().fitted(Some(26)), narrower);
}

#[test]
fn too_wide_cell_wraps_at_a_colon_or_at_the_width_limit() {
    let narrow = files().fitted(Some(21));
    assert!(narrow.contains("\n      sha256:94:E9:\n      EA:24\n"), "{narrow}");
    let mut table = Table::new(1, &["word"]);
    table.add_row(vec!["abcdefghij".into()]);
    assert_eq!(table.fitted(Some(4)), "word\nabcd\nefgh\nij\n");
    assert_eq!(table.fitted(Some(0)).lines().count(), 14);
}

#[test]
fn droppable_columns_are_removed_in_order_until_table_fits() {
    let mut table = Table::new(1, &["way", "first", "walk", "each"]).droppable(&[3, 1]);
    table.add_row(vec!["udp".into(), "1".into(), "2".into(), "3".into()]);
    assert_eq!(table.fitted(Some(22)), "way  first  walk  each\nudp      1     2     3\n");
    assert_eq!(table.fitted(Some(21)), "way  first  walk\nudp      1     2\n");
    assert_eq!(table.fitted(Some(15)), "way  walk\nudp     2\n");
    assert_eq!(table.fitted(Some(3)), "way  walk\nudp     2\n");
}

#[test]
fn multi_line_row_is_returned_as_one_row() {
    let rows = files().rows(Some(40));
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1].lines().count(), 2);
    assert_eq!(rows[2].lines().count(), 1);
}
