//! Ranges, lengths, patterns, and constraints in XPath.

use libyang5_sys as sys;

use super::{
    Module, Node,
    pointer::{Pointer, elements, text},
};

/// A range of numbers or lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bounds<'c> {
    /// Ascending and separate. The values of decimal64 are multiplied by 10 to the power of its
    /// fraction digits.
    pub(crate) parts: Vec<RangePart>,
    pub(crate) error_message: Option<&'c str>,
    pub(crate) error_app_tag: Option<&'c str>,
}

/// The first and the last value of a part of a range.
pub(crate) type RangePart = (i128, i128);

impl<'c> Bounds<'c> {
    /// # Safety
    ///
    /// The pointer must be null or a range of a compiled type, whose values are signed if
    /// `is_signed`.
    pub(super) unsafe fn new(raw: *const sys::lysc_range, is_signed: bool) -> Option<Self> {
        // SAFETY: ranges, their parts and texts live as long as the context.
        unsafe {
            let range = Pointer::new(raw)?.read();
            let parts = elements(range.parts).map(|part| {
                let part = part.read();
                let (first, last) = (part.__bindgen_anon_1, part.__bindgen_anon_2);
                if is_signed {
                    (first.min_64.into(), last.max_64.into())
                } else {
                    (first.min_u64.into(), last.max_u64.into())
                }
            });
            Some(Self {
                parts: parts.collect(),
                error_message: text(range.emsg),
                error_app_tag: text(range.eapptag),
            })
        }
    }
}

/// A pattern of a string type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern<'c> {
    /// The regular expression, as it is written in the module.
    pub(crate) expression: &'c str,
    /// True if a value must not match.
    pub(crate) is_inverted: bool,
    /// True for OpenConfig's POSIX expressions, false for those of XML Schema.
    pub(crate) is_posix: bool,
    pub(crate) error_message: Option<&'c str>,
    pub(crate) error_app_tag: Option<&'c str>,
}

impl<'c> Pattern<'c> {
    pub(super) fn new(raw: Pointer<'c, sys::lysc_pattern>) -> Self {
        let pattern = raw.read();
        // SAFETY: texts of a pattern live as long as the context.
        let (expression, error_message, error_app_tag) =
            unsafe { (text(pattern.expr), text(pattern.emsg), text(pattern.eapptag)) };
        Self {
            expression: expression.unwrap_or_default(),
            is_inverted: pattern.inverted() != 0,
            is_posix: pattern.format() != 0,
            error_message,
            error_app_tag,
        }
    }
}

/// A `must` or `when` statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Constraint<'c> {
    pub(crate) expression: &'c str,
    pub(crate) prefixes: Prefixes<'c>,
    pub(crate) error_message: Option<&'c str>,
    pub(crate) error_app_tag: Option<&'c str>,
    /// The context node of a `when`; `None` stands for the root. A `must` has the node that
    /// contains it.
    pub(crate) context: Option<Node<'c>>,
}

impl<'c> Constraint<'c> {
    pub(super) fn must(node: Node<'c>, raw: Pointer<'c, sys::lysc_must>) -> Self {
        let must = raw.read();
        // SAFETY: expressions and texts live as long as the context.
        unsafe {
            Self {
                expression: expression(must.cond),
                prefixes: Prefixes::new(must.prefixes),
                error_message: text(must.emsg),
                error_app_tag: text(must.eapptag),
                context: Some(node),
            }
        }
    }

    pub(super) fn when(raw: Pointer<'c, sys::lysc_when>) -> Self {
        let when = raw.read();
        // SAFETY: expressions, prefixes and nodes live as long as the context.
        unsafe {
            Self {
                expression: expression(when.cond),
                prefixes: Prefixes::new(when.prefixes),
                error_message: None,
                error_app_tag: None,
                context: Node::new(when.context),
            }
        }
    }
}

/// Returns the text of an expression in XPath.
///
/// # Safety
///
/// The pointer must be null or an expression of a compiled schema.
pub(super) unsafe fn expression<'c>(raw: *const sys::lyxp_expr) -> &'c str {
    if raw.is_null() {
        return "";
    }
    // SAFETY: the expression is valid, and its text lives as long as the context.
    unsafe { text(sys::lyxp_get_expr(raw)) }.unwrap_or_default()
}

/// The prefixes that a text uses, each with its module. No prefix stands for the module in which
/// the text is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prefixes<'c>(Vec<(Option<&'c str>, Module<'c>)>);

impl<'c> Prefixes<'c> {
    /// # Safety
    ///
    /// The pointer must be null or a sized array of prefixes of a compiled schema.
    pub(super) unsafe fn new(first: *const sys::lysc_prefix) -> Self {
        // SAFETY: prefixes and modules live as long as the context.
        let prefixes = unsafe { elements(first) }.filter_map(|prefix| unsafe {
            let prefix = prefix.read();
            Some((text(prefix.prefix), Module::new(Pointer::new(prefix.mod_)?)))
        });
        Self(prefixes.collect())
    }

    /// Returns the prefixes with their modules.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Option<&'c str>, Module<'c>)> {
        self.0.iter().copied()
    }

    /// Returns the module of a prefix.
    pub(crate) fn module(&self, prefix: Option<&str>) -> Option<Module<'c>> {
        self.0.iter().find(|(known, _)| *known == prefix).map(|(_, module)| *module)
    }
}
