use super::Table;

fn files() -> Table {
    let mut table = Table::new(4, &["FILE", "FOR", "UNTIL", "PRINT"]).indented(2).breaks(&[3, 1]);
    let cells = |row: [&str; 4]| row.map(str::to_owned).into();
    table.row(cells(["hosts/gw/cert.pem", "gw", "2029-02-24", "sha256:94:E9:EA:24"]));
    table.row(cells(["ca.crl", "", "2036-11-19", ""]));
    table
}

#[test]
fn columns_are_as_wide_as_their_widest_cell() {
    let mut table = Table::new(1, &["work", "req/s"]);
    table.row(vec!["get".into(), "1 000".into()]);
    table.row(vec!["getbulk".into(), "7".into()]);
    assert_eq!(table.whole(), "work     req/s\nget      1 000\ngetbulk      7\n");
}

#[test]
fn a_table_that_fits_is_not_touched() {
    let whole = files().whole();
    let widest = whole.lines().map(str::len).max();
    assert_eq!(files().fitted(widest), whole);
    assert_eq!(files().fitted(Some(1000)), whole);
}

#[test]
fn lines_are_broken_only_as_often_as_they_have_to_be() {
    let narrow = "  FILE               FOR  UNTIL\n      PRINT\n  hosts/gw/cert.pem  gw   2029-02-24\n      \
                  sha256:94:E9:EA:24\n  ca.crl                  2036-11-19\n";
    assert_eq!(files().fitted(Some(40)), narrow);
    assert_eq!(files().fitted(Some(36)), narrow);
    let narrower = "  FILE\n      FOR  UNTIL\n      PRINT\n  hosts/gw/cert.pem\n      gw   2029-02-24\n      \
                    sha256:94:E9:EA:24\n  ca.crl\n           2036-11-19\n";
    assert_eq!(files().fitted(Some(26)), narrower);
}

#[test]
fn a_cell_that_is_alone_is_wrapped_behind_a_colon_or_where_it_must() {
    let narrow = files().fitted(Some(21));
    assert!(narrow.contains("\n      sha256:94:E9:\n      EA:24\n"), "{narrow}");
    let mut table = Table::new(1, &["word"]);
    table.row(vec!["abcdefghij".into()]);
    assert_eq!(table.fitted(Some(4)), "word\nabcd\nefgh\nij\n");
    assert_eq!(table.fitted(Some(0)).lines().count(), 14);
}

#[test]
fn columns_are_left_out_in_their_order_until_the_rest_fits() {
    let mut table = Table::new(1, &["way", "first", "walk", "each"]).drops(&[3, 1]);
    table.row(vec!["udp".into(), "1".into(), "2".into(), "3".into()]);
    assert_eq!(table.fitted(Some(22)), "way  first  walk  each\nudp      1     2     3\n");
    assert_eq!(table.fitted(Some(21)), "way  first  walk\nudp      1     2\n");
    assert_eq!(table.fitted(Some(15)), "way  walk\nudp     2\n");
    assert_eq!(table.fitted(Some(3)), "way  walk\nudp     2\n");
}

#[test]
fn rows_come_one_by_one_with_all_their_lines() {
    let rows = files().rows(Some(40));
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1].lines().count(), 2);
    assert_eq!(rows[2].lines().count(), 1);
}
