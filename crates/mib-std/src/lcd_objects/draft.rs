//! The changes of one SET to the datastore.

use std::{collections::BTreeMap, sync::Arc};

use portreeve_datastore::{ProposedState, Refusal, RefusalKind};
use portreeve_lcd::Scalars;
use portreeve_mib::{Draft, Requester, SetVariable};
use portreeve_smi::{OwnedValue, SecurityModel};

use super::LeafLocation;
use crate::{
    scalars::SCALARS,
    table::{Assignment, LocalEngineInfo, edit::SetRequest},
    tables::TABLES,
};

/// Groups the variables by row, and applies them to the rows after the last variable has been
/// added.
pub(super) struct SetDraft {
    leaves: Arc<[LeafLocation]>,
    local: Arc<LocalEngineInfo>,
    security_model: SecurityModel,
    security_name: Vec<u8>,
    /// The scalars before the request.
    before: Scalars,
    rows: Vec<RowEdit>,
    row_numbers: BTreeMap<(usize, Box<[u32]>), usize>,
}

impl SetDraft {
    pub(super) fn new(
        leaves: Arc<[LeafLocation]>,
        local: Arc<LocalEngineInfo>,
        before: Scalars,
        requester: Requester<'_>,
    ) -> Self {
        Self {
            leaves,
            local,
            security_model: requester.security_model,
            security_name: requester.security_name.to_vec(),
            before,
            rows: Vec::new(),
            row_numbers: BTreeMap::new(),
        }
    }

    fn row(&mut self, table: usize, index: &[u32]) -> Option<&mut RowEdit> {
        // The variables of a row usually follow each other.
        let is_last = self.rows.last().is_some_and(|row| row.table == table && *row.index == *index);
        if is_last {
            return self.rows.last_mut();
        }
        let rows = &mut self.rows;
        let number = *self.row_numbers.entry((table, index.into())).or_insert_with(|| {
            rows.push(RowEdit { table, index: index.into(), assignments: Vec::new() });
            rows.len() - 1
        });
        self.rows.get_mut(number)
    }
}

impl Draft for SetDraft {
    fn test(&mut self, proposed: &mut ProposedState, variable: &SetVariable<'_>) -> Result<(), Refusal> {
        let SetVariable { number, leaf, index, value } = variable;
        match self.leaves.get(*leaf).copied().ok_or(RefusalKind::Internal)? {
            LeafLocation::Scalar(scalar) => {
                let scalar = SCALARS.get(scalar).ok_or(RefusalKind::Internal)?;
                scalar.test(&mut self.before, index, value)?;
                scalar.set(proposed.lcd_mut().scalars_mut(), value);
            }
            LeafLocation::Column { table, column } => {
                let definition = TABLES.get(table).ok_or(RefusalKind::NotWritable)?;
                definition.test(proposed.lcd().tables(), column, index, value)?;
                let assignment = Assignment { variable: *number, column, value: OwnedValue::from(*value) };
                self.row(table, index).ok_or(RefusalKind::Internal)?.assignments.push(assignment);
            }
        }
        Ok(())
    }

    fn apply(&mut self, proposed: &mut ProposedState) -> Result<(), Refusal> {
        let request = SetRequest {
            local: &self.local,
            security_model: self.security_model,
            security_name: &self.security_name,
        };
        self.row_numbers.clear();
        for row in std::mem::take(&mut self.rows) {
            if let Some(definition) = TABLES.get(row.table) {
                definition.apply(proposed.lcd_mut(), &row.index, &row.assignments, &request)?;
            }
        }
        Ok(())
    }
}

/// The assignments of one request to one row.
struct RowEdit {
    table: usize,
    index: Box<[u32]>,
    assignments: Vec<Assignment>,
}
