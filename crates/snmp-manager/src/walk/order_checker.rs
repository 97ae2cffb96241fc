//! Is a walk's next name in its place? Both ways to walk ask here about every variable, in the order of the walk.

use portreeve_smi::OidBuf;

use super::{WalkError, WalkOptions, owned};

/// What a walk knows of where it is.
#[derive(Clone, Debug)]
pub(super) struct OrderChecker {
    options: WalkOptions,
    root: OidBuf,
    /// The root, or the last name found.
    last: OidBuf,
    found: u64,
    /// Where a loop would come round to.
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

    /// Whether the walk ends before this name.
    pub(super) fn is_past(&self, name: &[u32]) -> bool {
        match &self.options.end {
            Some(end) => name >= &**end,
            None => !name.starts_with(&self.root),
        }
    }

    /// The walk has come to `name`.
    pub(super) fn take(&mut self, name: &OidBuf) -> Result<(), WalkError> {
        self.found += 1;
        if self.options.check_increasing && **name <= *self.last {
            return Err(WalkError::NotIncreasing { previous: owned(&self.last), found: owned(name) });
        }
        // Brent's way to find a loop: a landmark that is moved on ever more rarely. Increasing names cannot loop.
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
        if self.found >= self.options.max_variables { Err(WalkError::TooManyVariables) } else { Ok(()) }
    }
}

const FIRST_LANDMARK: u64 = 16;
