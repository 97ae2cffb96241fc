//! Faults of the data tree as refusals.

use std::borrow::Cow;

use portreeve_yang::{InstancePath, Schema};
use portreeve_yang_tree::{Conflicts, Fault, FaultReason};

use super::{Refusal, RefusalKind};

impl Refusal {
    /// Returns the refusal of a tree with these faults; `None` if there are none.
    pub fn from_faults(schema: &Schema, faults: &[Fault]) -> Option<Self> {
        collect(faults.iter().map(|fault| from_fault(schema, fault)))
    }

    /// Returns the refusal of an edit that another transaction conflicts with.
    pub fn from_conflicts(schema: &Schema, conflicts: &Conflicts) -> Self {
        let conflict = || Self::from(RefusalKind::Conflict);
        let at = |path: &InstancePath| conflict().at_path(schema, path.clone());
        collect(conflicts.paths.iter().map(at)).unwrap_or_else(conflict)
    }
}

/// Makes one refusal of several.
fn collect(mut refusals: impl Iterator<Item = Refusal>) -> Option<Refusal> {
    let first = refusals.next()?;
    Some(Refusal { further: refusals.collect(), ..first })
}

fn from_fault(schema: &Schema, fault: &Fault) -> Refusal {
    use FaultReason::*;
    let (kind, app_tag, text) = match fault.reason {
        // RFC 7950 §15.6.
        ChoiceMissing(_) => (RefusalKind::DataMissing, "missing-choice", "no case of a choice exists"),
        MandatoryMissing => (RefusalKind::DataMissing, "", "a mandatory node is missing"),
        SeveralCases(_) => (RefusalKind::Invalid, "", "several cases of a choice exist"),
        // RFC 7950 §15.3.
        TooFewElements => (RefusalKind::Invalid, "too-few-elements", "a list has too few entries"),
        // RFC 7950 §15.2.
        TooManyElements => (RefusalKind::Invalid, "too-many-elements", "a list has too many entries"),
        // RFC 7950 §15.1.
        NotUnique(_) => {
            (RefusalKind::Invalid, "data-not-unique", "two entries of a list have the same values")
        }
        // RFC 7950 §15.5.
        InstanceRequired => {
            (RefusalKind::DataMissing, "instance-required", "the node to which a value refers does not exist")
        }
    };
    let app_tag = Some(Cow::Borrowed(app_tag)).filter(|tag| !tag.is_empty());
    Refusal { app_tag, ..Refusal::new(kind, text) }.at_path(schema, fault.path.clone())
}
