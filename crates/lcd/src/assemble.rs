//! Assembles a datastore from the configuration file and the durable results of SETs.
//!
//! If both contain the same row or scalar, the file takes precedence and the conflict is reported.
//! The value from the SET is hidden. It takes effect again after a reload or restart with a file
//! that does not contain that row or scalar.

use std::sync::Arc;

use crate::{
    BoolScalar, Columns, Scalars, Tables,
    durable::{read_into, record_key},
    last_changed::is_same_row,
    tables::{TableVisitor, visit_tables},
};

/// An assembled datastore, and the records that are not part of it.
pub struct Assembled {
    /// The rows of the file, and the rows set by SETs that the file does not override.
    pub tables: Tables,
    /// Only the rows and scalars that the file overrides.
    pub hidden: Tables,
    /// The keys of the rows and scalars that the file overrides.
    pub clashes: Vec<String>,
    /// The keys of records that could not be read.
    pub unreadable: Vec<String>,
}

/// Assembles the datastore at startup, from the rows of the file and the records of the state
/// directory. Ignores records with unknown keys.
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

/// Assembles the datastore at a reload, from the rows of the new file, the rows of `current` that
/// did not come from a file, and the rows in `hidden`, which the previous file had overridden.
pub fn carry_over(file: Tables, current: &Tables, hidden: &Tables) -> Assembled {
    let mut restoring = Restore { hidden, tables: current.clone() };
    visit_tables(&mut restoring);
    let mut other = restoring.tables;
    restore_scalars(&hidden.scalars, &mut other.scalars);
    overlay(file, &other)
}

fn overlay(file: Tables, other: &Tables) -> Assembled {
    let mut overlaying = Overlay { tables: file, other, hidden: Tables::default(), clashes: Vec::new() };
    visit_tables(&mut overlaying);
    let Overlay { mut tables, mut hidden, mut clashes, .. } = overlaying;
    overlay_scalars(&mut tables.scalars, &other.scalars, &mut hidden.scalars, &mut clashes);
    Assembled { tables, hidden, clashes, unreadable: Vec::new() }
}

/// Replaces rows of the previous file with the rows that they had overridden.
struct Restore<'a> {
    hidden: &'a Tables,
    tables: Tables,
}

impl TableVisitor for Restore<'_> {
    fn visit<C: Columns>(&mut self) {
        let table = C::table_mut(&mut self.tables);
        for row in C::table(self.hidden).iter() {
            if table.get(&row.key).is_none_or(|current| !current.is_writable()) {
                table.insert(Arc::clone(row));
            }
        }
    }
}

fn restore_scalars(hidden: &Scalars, scalars: &mut Scalars) {
    for (hidden, text) in [
        (&hidden.sys_contact, &mut scalars.sys_contact),
        (&hidden.sys_name, &mut scalars.sys_name),
        (&hidden.sys_location, &mut scalars.sys_location),
    ] {
        if !text.is_writable() {
            *text = hidden.clone();
        }
    }
    for (hidden, switch) in [
        (hidden.enable_authen_traps, &mut scalars.enable_authen_traps),
        (hidden.tsm_use_prefix, &mut scalars.tsm_use_prefix),
    ] {
        if !switch.storage.is_durable() {
            *switch = hidden;
        }
    }
}

struct Overlay<'a> {
    tables: Tables,
    other: &'a Tables,
    hidden: Tables,
    clashes: Vec<String>,
}

impl TableVisitor for Overlay<'_> {
    fn visit<C: Columns>(&mut self) {
        let table = C::table_mut(&mut self.tables);
        for row in C::table(self.other).iter().filter(|row| !row.is_writable()) {
            // A row of the file that has not changed remains the same version, so that a session
            // which depends on it survives the reload.
            if table.get(&row.key).is_some_and(|new| is_same_row(new, row)) {
                table.insert(Arc::clone(row));
            }
        }
        for row in C::table(self.other).iter().filter(|row| row.is_writable()) {
            if table.get(&row.key).is_some() {
                C::table_mut(&mut self.hidden).insert(Arc::clone(row));
                self.clashes.push(String::from_utf8_lossy(&record_key::<C>(&row.key)).into_owned());
            } else {
                table.insert(Arc::clone(row));
            }
        }
    }
}

fn overlay_scalars(file: &mut Scalars, other: &Scalars, hidden: &mut Scalars, clashes: &mut Vec<String>) {
    let texts = [
        ("system/sysContact", &mut file.sys_contact, &other.sys_contact, &mut hidden.sys_contact),
        ("system/sysName", &mut file.sys_name, &other.sys_name, &mut hidden.sys_name),
        ("system/sysLocation", &mut file.sys_location, &other.sys_location, &mut hidden.sys_location),
    ];
    for (key, file, other, hidden) in texts {
        if !other.storage.is_durable() {
            continue;
        }
        if file.is_writable() {
            *file = other.clone();
        } else {
            *hidden = other.clone();
            clashes.push(key.to_owned());
        }
    }
    let switches = [
        (
            "snmp/enableAuthenTraps",
            &mut file.enable_authen_traps,
            other.enable_authen_traps,
            &mut hidden.enable_authen_traps,
        ),
        ("tsm/usePrefix", &mut file.tsm_use_prefix, other.tsm_use_prefix, &mut hidden.tsm_use_prefix),
    ];
    for (key, file, other, hidden) in switches {
        if !other.storage.is_durable() {
            continue;
        }
        if file.storage.is_durable() {
            *file = other;
        } else {
            *hidden = other;
            if other != BoolScalar::default() {
                clashes.push(key.to_owned());
            }
        }
    }
    file.set_serial_no = other.set_serial_no;
    file.user_spin_lock = other.user_spin_lock;
    file.view_spin_lock = other.view_spin_lock;
    file.target_spin_lock = other.target_spin_lock;
}

#[cfg(test)]
mod tests;
