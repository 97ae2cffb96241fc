use super::*;

#[test]
fn successor_of_row_does_not_depend_on_search_hint() {
    let rows: Vec<Vec<u32>> = vec![vec![1], vec![1, 5], vec![2], vec![7, 1], vec![7, 2]];
    let names: [&[u32]; 9] = [&[], &[0], &[1], &[1, 4], &[1, 5, 0], &[6], &[7], &[7, 2], &[9]];
    for after in names {
        let expected = rows.iter().position(|row| row.as_slice() > after);
        for hint in 0..8 {
            let mut hint = hint;
            assert_eq!(successor(rows.len(), |row| &rows[row], after, &mut hint), expected, "{after:?}");
        }
    }
}

#[test]
fn exact_row_lookup_does_not_depend_on_search_hint() {
    let rows: Vec<Vec<u32>> = vec![vec![1], vec![1, 5], vec![2]];
    for (index, expected) in [(vec![1, 5], Some(1)), (vec![2], Some(2)), (vec![3], None), (vec![], None)] {
        for hint in 0..5 {
            let mut hint = hint;
            assert_eq!(exact(rows.len(), |row| &rows[row], &index, &mut hint), expected, "{index:?}");
        }
    }
}

#[test]
fn row_lookups_in_empty_table_return_none() {
    let no_rows: [&[u32]; 0] = [];
    assert_eq!(successor(0, |row| no_rows[row], &[], &mut 3), None);
    assert_eq!(exact(0, |row| no_rows[row], &[1], &mut 0), None);
}
