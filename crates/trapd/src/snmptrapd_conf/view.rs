//! `view NAME included|excluded SUBTREE [MASK]`: named sets of notifications.

use portreeve_smi::Oid;

use super::{Arguments, NameResolver, Reason};

/// The views of the file.
#[derive(Default)]
pub(super) struct Views {
    families: Vec<(String, Family)>,
}

enum Family {
    Included(Oid),
    /// A subtree that [`portreeve_snmp_apps::NotificationRule`] cannot express.
    Unsupported(&'static str),
    /// A line that may have excluded notifications.
    Invalid,
}

impl Views {
    /// Parses the values of one directive. If they are invalid, the view cannot be used: without
    /// the line, it would permit what the line was to exclude.
    pub(super) fn parse(
        &mut self,
        arguments: &mut Arguments,
        names: &NameResolver<'_>,
    ) -> Result<(), Reason> {
        let name = arguments.required("the name of the view")?;
        let (family, result) = match Family::parse(arguments, names) {
            Ok(family) => (family, Ok(())),
            Err(reason) => (Family::Invalid, Err(reason)),
        };
        self.families.push((name, family));
        result
    }

    /// Returns the subtrees of a view.
    pub(super) fn subtrees(&self, name: &str) -> Result<Vec<Oid>, Reason> {
        let families = self.families.iter().filter(|(of, _)| of == name).map(|(_, family)| family);
        let subtrees = families.map(|family| match family {
            Family::Included(subtree) => Ok(subtree.clone()),
            Family::Unsupported(part) => Err(format!(
                "the view {name:?} has {part}, which is not supported here: list the included subtrees"
            )),
            Family::Invalid => Err(format!("the view {name:?} has an invalid line: correct that line")),
        });
        let subtrees: Vec<Oid> = subtrees.collect::<Result<_, _>>()?;
        if subtrees.is_empty() {
            return Err(format!("unknown view {name:?}: define it with \"view {name} included OID\""));
        }
        Ok(subtrees)
    }
}

impl Family {
    /// Parses `included|excluded SUBTREE [MASK]`.
    fn parse(arguments: &mut Arguments, names: &NameResolver<'_>) -> Result<Self, Reason> {
        let is_included = match arguments.required("included or excluded")? {
            kind if kind.eq_ignore_ascii_case("included") => true,
            kind if kind.eq_ignore_ascii_case("excluded") => false,
            kind => return Err(format!("invalid type {kind:?}: expected included or excluded")),
        };
        let subtree = arguments.required("an object identifier")?;
        let subtree = parse_oid(&subtree, names)?;
        let mask = arguments.optional();
        arguments.end("the mask")?;
        let has_mask = mask.is_some_and(|mask| !mask.trim_start_matches("0x").chars().all(is_full_mask));
        Ok(match (is_included, has_mask) {
            (false, _) => Self::Unsupported("an excluded subtree"),
            (true, true) => Self::Unsupported("a mask"),
            (true, false) => Self::Included(subtree),
        })
    }
}

/// Parses the identifier of a subtree.
pub(super) fn parse_oid(text: &str, names: &NameResolver<'_>) -> Result<Oid, Reason> {
    (names.oid)(text).map_err(|error| {
        format!(
            "invalid object identifier {text:?}: {error}: expected a name or, for example, .1.3.6.1.6.3.1.1.5"
        )
    })
}

/// Returns whether a digit of a mask, or a separator, selects all arcs.
fn is_full_mask(character: char) -> bool {
    matches!(character, 'f' | 'F' | '.' | ':')
}
