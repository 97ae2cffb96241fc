use std::{cell::RefCell, fs, path::PathBuf};

use super::create;

#[test]
fn review_l11_parents_of_new_directories_are_synced_to_disk() {
    let base = std::env::temp_dir().join(format!("portreeve-store-{}-sync", std::process::id()));
    let _ = fs::remove_dir_all(&base);
    fs::create_dir(&base).unwrap();
    let synced = RefCell::new(Vec::<PathBuf>::new());
    let sync = |parent: &std::path::Path| {
        synced.borrow_mut().push(parent.to_owned());
        Ok(())
    };
    let state = base.join("a/b");
    create(&state, sync).unwrap();
    assert_eq!(synced.take(), [base.join("a"), base.clone()]);
    // The second call creates no directory and therefore syncs none.
    create(&state, sync).unwrap();
    assert!(synced.take().is_empty());
    fs::remove_dir_all(&base).unwrap();
}
