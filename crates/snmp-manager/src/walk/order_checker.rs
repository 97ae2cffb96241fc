//! Checks the order of a walk's names. Both kinds of walk pass every variable to this check, in the
//! order of the walk.

use portreeve_smi::OidBuf;

use super::{WalkError, WalkOptions, owned};

/// The position of a walk.
#[derive(Clone, Debug)]
pub(super) struct OrderChecker {
    options: WalkOptions,
    root: OidBuf,
    /// The root, or the last name found.
    last: OidBuf,
    found: u64,
    /// The earlier name with which later names are compared to detect a loop.
    landmark: OidBuf,
    next_landmark: u64,
}

impl OrderChecker {
    pub(super) fn new(root: &[u32], options: WalkOptions) -> Self {
        let root = OidBuf::from_arcs(root).unwrap_or_default();
        Self {
            last: root.clone(),
            landmark: root.clone(),
            root,
            found: 0,
            next_landmark: FIRST_LANDMARK,
            options,
        }
    }

    pub(super) fn last(&self) -> &OidBuf {
        &self.last
    }

    pub(super) fn found(&self) -> u64 {
        self.found
    }

    pub(super) fn checks_order(&self) -> bool {
        self.options.check_increasing
    }

    /// Returns true if the walk ends before this name.
    pub(super) fn is_past(&self, name: &[u32]) -> bool {
        match &self.options.end {
            Some(end) => name >= &**end,
            None => !name.starts_with(&self.root),
        }
    }

    /// Records `name` as found.
    pub(super) fn take(&mut self, name: &OidBuf) -> Result<(), WalkError> {
        self.found += 1;
        if self.options.check_increasing && **name <= *self.last {
            return Err(WalkError::NotIncreasing { previous: owned(&self.last), found: owned(name) });
        }
        // Brent's cycle detection: the landmark is moved at increasing intervals. The check is not
        // needed if names must increase, because such names cannot loop.
        if !self.options.check_increasing {
            if *name == self.landmark {
                return Err(WalkError::Loop { name: owned(name) });
            }
            if self.found >= self.next_landmark {
                self.landmark.clone_from(name);
                self.next_landmark *= 2;
            }
        }
        self.last.clone_from(name);
        match self.options.max_variables {
            Some(limit) if self.found >= limit => Err(WalkError::TooManyVariables),
            _ => Ok(()),
        }
    }
}

const FIRST_LANDMARK: u64 = 16;
