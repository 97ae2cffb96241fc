//! Putting a datastore together from the configuration file and what SETs have left.
//!
//! Where both have the same row or scalar, the file wins, and the clash is reported.

use std::sync::Arc;

use crate::{
    Columns, Scalars, Tables, Text,
    durable::{read_into, record_key},
    tables::{TableVisitor, visit_tables},
};

/// A datastore, and what did not fit into it.
pub struct Assembled {
    /// The file's rows and the others.
    pub tables: Tables,
    /// Keys of what the file has hidden.
    pub clashes: Vec<String>,
    /// Keys of records that could not be read.
    pub unreadable: Vec<String>,
}

/// At start-up: the file's rows and the state directory's records. Keys that belong to somebody else are passed over.
pub fn assemble<'a>(file: Tables, records: impl IntoIterator<Item = (&'a [u8], &'a [u8])>) -> Assembled {
    let mut state = Tables::default();
    let mut unreadable = Vec::new();
    for (key, value) in records {
        if read_into(&mut state, key, value).is_err() {
            unreadable.push(String::from_utf8_lossy(key).into_owned());
        }
    }
    Assembled { unreadable, ..overlay(file, &state) }
}

/// At a reload: the new file's rows, and those of `current` that no file has given.
pub fn carry_over(file: Tables, current: &Tables) -> Assembled {
    overlay(file, current)
}

fn overlay(file: Tables, other: &Tables) -> Assembled {
    let mut overlaying = Overlay { tables: file, other, clashes: Vec::new() };
    visit_tables(&mut overlaying);
    let Overlay { mut tables, mut clashes, .. } = overlaying;
    overlay_scalars(&mut tables.scalars, &other.scalars, &mut clashes);
    Assembled { tables, clashes, unreadable: Vec::new() }
}

struct Overlay<'a> {
    tables: Tables,
    other: &'a Tables,
    clashes: Vec<String>,
}

impl TableVisitor for Overlay<'_> {
    fn visit<C: Columns>(&mut self) {
        let table = C::table_mut(&mut self.tables);
        for row in C::table(self.other).iter().filter(|row| row.is_writable()) {
            if table.get(&row.key).is_some() {
                self.clashes.push(String::from_utf8_lossy(&record_key::<C>(&row.key)).into_owned());
            } else {
                table.insert(Arc::clone(row));
            }
        }
    }
}

fn overlay_scalars(file: &mut Scalars, other: &Scalars, clashes: &mut Vec<String>) {
    let texts = [
        ("system/sysContact", &mut file.sys_contact, &other.sys_contact),
        ("system/sysName", &mut file.sys_name, &other.sys_name),
        ("system/sysLocation", &mut file.sys_location, &other.sys_location),
    ];
    for (key, file, other) in texts {
        if !other.storage.is_durable() || *other == Text::default() {
            continue;
        }
        if file.storage.is_durable() {
            *file = other.clone();
        } else {
            clashes.push(key.to_owned());
        }
    }
    if file.enable_authen_traps.storage.is_durable() && other.enable_authen_traps.storage.is_durable() {
        file.enable_authen_traps = other.enable_authen_traps;
    }
    file.set_serial_no = other.set_serial_no;
    file.user_spin_lock = other.user_spin_lock;
    file.view_spin_lock = other.view_spin_lock;
    file.target_spin_lock = other.target_spin_lock;
}

#[cfg(test)]
mod tests;
