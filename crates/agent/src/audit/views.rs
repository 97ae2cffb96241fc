//! Lists the contents of views, by the name of the view.

use portreeve_lcd::{FamilyType, Lcd, SubtreeCoverage, View};
use portreeve_mib::{Object, format::OutputFormat};

/// Returns every view used by an access right, with its subtree families.
pub(super) fn all(lcd: &Lcd) -> Vec<(String, Vec<String>)> {
    let mut names: Vec<&[u8]> = lcd
        .tables()
        .access
        .iter()
        .filter(|row| row.is_active())
        .flat_map(|row| [&row.read_view, &row.write_view, &row.notify_view])
        .map(|name| &**name)
        .filter(|name| !name.is_empty())
        .collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| (super::display_escaped(name), families(lcd, name))).collect()
}

/// Returns true if the view contains every object.
pub(super) fn is_everything(view: Option<&View>) -> bool {
    view.is_some_and(|view| view.classify_subtree(&INTERNET) == SubtreeCoverage::All)
}

/// Returns true if the view contains at least one instance of the object, or may contain one.
pub(super) fn overlaps(view: Option<&View>, object: &Object) -> bool {
    view.is_some_and(|view| view.classify_subtree(&object.oid()) != SubtreeCoverage::None)
}

fn families(lcd: &Lcd, view: &[u8]) -> Vec<String> {
    let rows = lcd.tables().view_families.iter();
    let mut rows: Vec<_> = rows.filter(|row| row.is_active() && *row.key.view_name == *view).collect();
    rows.sort_by_key(|row| &row.key.subtree);
    let families = rows.into_iter().map(|row| {
        let mut name = String::new();
        OutputFormat::default().name(&mut name, &row.key.subtree);
        let sign = if row.kind == FamilyType::Excluded { "not " } else { "" };
        let mask = if row.mask.is_empty() { "" } else { " (masked)" };
        format!("{sign}{name}{mask}")
    });
    let families: Vec<_> = families.collect();
    if families.is_empty() { vec!["nothing".to_owned()] } else { families }
}

/// The object identifier of `internet` (iso.org.dod.internet).
const INTERNET: [u32; 4] = [1, 3, 6, 1];
