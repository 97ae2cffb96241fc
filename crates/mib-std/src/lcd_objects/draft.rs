//! The changes of one SET to the datastore.

use std::{collections::BTreeMap, sync::Arc};

use portreeve_lcd::{LcdDraft, LcdHandle, Scalars};
use portreeve_mib::{Draft, Requester, SetTestError, StateRecord};
use portreeve_smi::{ErrorStatus, OwnedValue, SecurityModel, Timestamp, Value};

use super::LeafLocation;
use crate::{
    scalars::SCALARS,
    table::{Assignment, LocalEngineInfo, edit::SetRequest},
    tables::TABLES,
};

/// Groups the variables by row, and validates the rows after the last variable has been added.
pub(super) struct SetDraft {
    handle: LcdHandle,
    leaves: Arc<[LeafLocation]>,
    local: Arc<LocalEngineInfo>,
    now: Timestamp,
    security_model: SecurityModel,
    security_name: Vec<u8>,
    lcd: LcdDraft,
    before: Scalars,
    variables: usize,
    rows: Vec<RowEdit>,
    row_numbers: BTreeMap<(usize, Box<[u32]>), usize>,
}

impl SetDraft {
    pub(super) fn new(
        handle: LcdHandle,
        leaves: Arc<[LeafLocation]>,
        local: Arc<LocalEngineInfo>,
        requester: Requester<'_>,
        now: Timestamp,
    ) -> Self {
        let lcd = LcdDraft::new(handle.snapshot());
        Self {
            before: lcd.base().scalars().clone(),
            security_model: requester.security_model,
            security_name: requester.security_name.to_vec(),
            variables: 0,
            rows: Vec::new(),
            row_numbers: BTreeMap::new(),
            now,
            handle,
            leaves,
            local,
            lcd,
        }
    }

    fn row(&mut self, table: usize, index: &[u32]) -> Option<&mut RowEdit> {
        let rows = &mut self.rows;
        let number = *self.row_numbers.entry((table, index.into())).or_insert_with(|| {
            rows.push(RowEdit { table, index: index.into(), assignments: Vec::new() });
            rows.len() - 1
        });
        self.rows.get_mut(number)
    }
}

impl Draft for SetDraft {
    fn test(&mut self, leaf: usize, index: &[u32], value: &Value<'_>) -> Result<(), ErrorStatus> {
        let variable = self.variables;
        self.variables += 1;
        match self.leaves.get(leaf).copied().ok_or(ErrorStatus::GenErr)? {
            LeafLocation::Scalar(scalar) => {
                let scalar = SCALARS.get(scalar).ok_or(ErrorStatus::GenErr)?;
                scalar.test(&mut self.before, index, value)?;
                scalar.set(&mut self.lcd.tables_mut().scalars, value);
            }
            LeafLocation::Column { table, column } => {
                let definition = TABLES.get(table).ok_or(ErrorStatus::NotWritable)?;
                definition.test(self.lcd.base().tables(), column, index, value)?;
                let assignment = Assignment { variable, column, value: OwnedValue::from(*value) };
                self.row(table, index).ok_or(ErrorStatus::GenErr)?.assignments.push(assignment);
            }
        }
        Ok(())
    }

    fn validate(&mut self) -> Result<(), SetTestError> {
        let request = SetRequest {
            local: &self.local,
            security_model: self.security_model,
            security_name: &self.security_name,
        };
        self.row_numbers.clear();
        for row in std::mem::take(&mut self.rows) {
            if let Some(definition) = TABLES.get(row.table) {
                definition.apply(&mut self.lcd, &row.index, &row.assignments, &request)?;
            }
        }
        let before = self.lcd.base().tables().clone();
        self.lcd.tables_mut().update_last_changed(&before, self.now);
        Ok(())
    }

    fn records(&self) -> Vec<StateRecord> {
        let record =
            |change: portreeve_lcd::RecordChange| StateRecord { key: change.key, value: change.value };
        self.lcd.changes().into_iter().map(record).collect()
    }

    fn publish(self: Box<Self>) {
        self.lcd.publish(&self.handle);
    }
}

/// The assignments of one request to one row.
struct RowEdit {
    table: usize,
    index: Box<[u32]>,
    assignments: Vec<Assignment>,
}
