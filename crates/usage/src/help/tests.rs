use super::*;

#[test]
fn the_second_column_begins_behind_the_longest_of_the_first() {
    let rows = [("--once".to_owned(), "poll once"), ("-h, --help".to_owned(), "show this")];
    assert_eq!(table(rows), "  --once      poll once\n  -h, --help  show this\n");
}
