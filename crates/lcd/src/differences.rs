//! Differences between two states of the tables, for reports to the operator.

use std::fmt;

use crate::{
    Columns, Tables,
    last_changed::is_same_row,
    tables::{TableVisitor, visit_tables},
};

/// The numbers of rows by which a table differs from its earlier state. There is at least one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableDifference {
    /// The name of the table in its MIB.
    pub table: &'static str,
    /// The number of rows that did not exist before.
    pub added: usize,
    /// The number of rows that do not exist any more.
    pub removed: usize,
    /// The number of rows with other contents than before.
    pub changed: usize,
}

impl fmt::Display for TableDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.table)?;
        let counts = [(self.added, "added"), (self.removed, "removed"), (self.changed, "changed")];
        let mut separator = "";
        for (count, verb) in counts.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{separator} {count} {verb}")?;
            separator = ",";
        }
        Ok(())
    }
}

impl Tables {
    /// Returns the tables whose rows differ from those of `before`.
    pub fn table_differences(&self, before: &Self) -> Vec<TableDifference> {
        let mut comparison = Comparison { before, after: self, differences: Vec::new() };
        visit_tables(&mut comparison);
        let contexts = TableDifference {
            table: "vacmContextTable",
            added: self.contexts.iter().filter(|name| !before.contexts.contains(name)).count(),
            removed: before.contexts.iter().filter(|name| !self.contexts.contains(name)).count(),
            changed: 0,
        };
        comparison.add(contexts);
        comparison.differences
    }

    /// Returns the names of the scalars whose values differ from those of `before`. Spin locks are
    /// not included.
    pub fn scalar_differences(&self, before: &Self) -> Vec<&'static str> {
        let (before, after) = (&before.scalars, &self.scalars);
        let scalars = [
            ("sysDescr", before.sys_descr == after.sys_descr),
            ("sysObjectID", before.sys_object_id == after.sys_object_id),
            ("sysServices", before.sys_services == after.sys_services),
            ("sysContact", before.sys_contact.value == after.sys_contact.value),
            ("sysName", before.sys_name.value == after.sys_name.value),
            ("sysLocation", before.sys_location.value == after.sys_location.value),
            (
                "snmpEnableAuthenTraps",
                before.enable_authen_traps.enabled == after.enable_authen_traps.enabled,
            ),
            ("snmpTsmConfigurationUsePrefix", before.tsm_use_prefix.enabled == after.tsm_use_prefix.enabled),
        ];
        scalars.into_iter().filter(|(_, is_same)| !is_same).map(|(name, _)| name).collect()
    }
}

struct Comparison<'a> {
    before: &'a Tables,
    after: &'a Tables,
    differences: Vec<TableDifference>,
}

impl Comparison<'_> {
    fn add(&mut self, difference: TableDifference) {
        if (difference.added, difference.removed, difference.changed) != (0, 0, 0) {
            self.differences.push(difference);
        }
    }
}

impl TableVisitor for Comparison<'_> {
    fn visit<C: Columns>(&mut self) {
        let (before, after) = (C::table(self.before), C::table(self.after));
        if before.is_same(after) {
            return;
        }
        let mut difference = TableDifference { table: C::TABLE_NAME, ..TableDifference::default() };
        for row in after.iter() {
            match before.get(&row.key) {
                None => difference.added += 1,
                Some(old) if !is_same_row(old, row) => difference.changed += 1,
                Some(_) => {}
            }
        }
        difference.removed = before.iter().filter(|row| after.get(&row.key).is_none()).count();
        self.add(difference);
    }
}

#[cfg(test)]
mod tests;
