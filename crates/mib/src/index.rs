//! How a row's index values stand in the name of an instance (RFC 2578 §7.7).

use crate::{
    Object,
    object::RowIndex,
    syntax::{Base, Syntax},
};

/// Takes an instance's index arcs apart, value by value.
///
/// Ends at the first value that is not whole; what is left is then [`IndexParts::rest`].
#[derive(Clone, Debug)]
pub struct IndexParts<'a> {
    index: RowIndex,
    position: usize,
    rest: &'a [u32],
}

impl<'a> IndexParts<'a> {
    /// `suffix` is what follows a column's identifier.
    pub fn new(index: RowIndex, suffix: &'a [u32]) -> Self {
        Self { index, position: 0, rest: suffix }
    }

    /// The arcs no value has been made of.
    pub fn rest(&self) -> &'a [u32] {
        self.rest
    }
}

impl<'a> Iterator for IndexParts<'a> {
    type Item = IndexPart<'a>;

    fn next(&mut self) -> Option<IndexPart<'a>> {
        let object = *self.index.objects.get(self.position)?;
        let form = IndexForm::of(self.index, self.position)?;
        let (length, head) = match form {
            IndexForm::Number => (1, 0),
            IndexForm::Fixed(length) => (length, 0),
            IndexForm::Implied => (self.rest.len(), 0),
            IndexForm::Counted => (usize::try_from(*self.rest.first()?).ok()?, 1),
        };
        let whole = self.rest.get(head..)?.get(..length)?;
        if form == IndexForm::Implied && whole.is_empty() {
            return None;
        }
        self.rest = self.rest.get(head + length..)?;
        self.position += 1;
        Some(IndexPart { object, form, arcs: whole })
    }
}

/// One value of an index.
#[derive(Clone, Copy, Debug)]
pub struct IndexPart<'a> {
    /// The object whose value this is.
    pub object: &'static Object,
    /// How it is written.
    pub form: IndexForm,
    /// The value's arcs without a length: a number, octets, or an identifier.
    pub arcs: &'a [u32],
}

impl IndexPart<'_> {
    /// The value of a string, if all arcs are octets.
    pub fn octets(&self) -> Option<Vec<u8>> {
        self.arcs.iter().map(|&arc| u8::try_from(arc).ok()).collect()
    }
}

/// How many arcs a value of an index takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexForm {
    /// One.
    Number,
    /// As many as the type says.
    Fixed(usize),
    /// As many as the first one says.
    Counted,
    /// All that follow.
    Implied,
}

impl IndexForm {
    /// The form of the value at a position of an index; `None` past its end.
    pub fn of(index: RowIndex, position: usize) -> Option<Self> {
        let syntax: &Syntax = index.objects.get(position)?.syntax()?;
        let last = position + 1 == index.objects.len();
        Some(match syntax.base {
            Base::OctetString | Base::ObjectIdentifier | Base::IpAddress | Base::Bits | Base::Opaque => {
                match syntax.fixed_len() {
                    Some(length) => Self::Fixed(length),
                    None if index.implied && last => Self::Implied,
                    None => Self::Counted,
                }
            }
            _ => Self::Number,
        })
    }
}

#[cfg(test)]
mod tests;
