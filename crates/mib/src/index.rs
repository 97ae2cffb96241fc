//! Index values in the names of instances (RFC 2578 §7.7).

use crate::{
    InetAddress, Object,
    inet_address::AddressType,
    object::RowIndex,
    syntax::{Base, Syntax},
};

/// Splits the index arcs of an instance into values.
///
/// Stops at the first incomplete value; [`IndexParts::rest`] then returns the remaining arcs.
#[derive(Clone, Debug)]
pub struct IndexParts<'a> {
    index: RowIndex,
    position: usize,
    rest: &'a [u32],
    /// The type of the address that may follow.
    address_type: Option<AddressType>,
}

impl<'a> IndexParts<'a> {
    /// Creates an iterator over `suffix`, the arcs after the identifier of a column.
    pub fn new(index: RowIndex, suffix: &'a [u32]) -> Self {
        Self { index, position: 0, rest: suffix, address_type: None }
    }

    /// Returns the arcs that do not belong to a complete value.
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
        let next_type = whole.first().and_then(|value| AddressType::of(object, *value));
        let address_type = std::mem::replace(&mut self.address_type, next_type);
        Some(IndexPart { object, form, arcs: whole, address_type })
    }
}

/// One value of an index.
#[derive(Clone, Copy, Debug)]
pub struct IndexPart<'a> {
    /// The object to which the value belongs.
    pub object: &'static Object,
    /// The encoding of the value.
    pub form: IndexForm,
    /// The arcs of the value without its length: a number, octets, or an identifier.
    pub arcs: &'a [u32],
    /// The address type in the value before this one.
    address_type: Option<AddressType>,
}

impl IndexPart<'_> {
    /// Returns the value of a string; `None` if an arc is greater than 255.
    pub fn octets(&self) -> Option<Vec<u8>> {
        self.arcs.iter().map(|&arc| u8::try_from(arc).ok()).collect()
    }

    /// Returns the value of an InetAddress whose type is the value before it; `None` for other
    /// objects, and for types other than IPv4 and IPv6.
    pub fn inet_address(&self) -> Option<InetAddress> {
        let address_type = self.address_type.filter(|_| InetAddress::is_type_of(self.object))?;
        InetAddress::from_octets(address_type, &self.octets()?)
    }

    /// Returns the value of an InetAddress of the type dns, if it is printable.
    pub fn dns_name(&self) -> Option<String> {
        let is_dns = self.address_type == Some(AddressType::Dns) && InetAddress::is_type_of(self.object);
        let name = String::from_utf8(self.octets().filter(|_| is_dns)?).ok()?;
        Some(name).filter(|name| name.bytes().all(|octet| octet.is_ascii_graphic()))
    }
}

/// The number of arcs of an index value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexForm {
    /// One arc, which contains the number.
    Number,
    /// As many arcs as the fixed length of the type.
    Fixed(usize),
    /// A first arc with the number of the arcs that follow.
    Counted,
    /// All remaining arcs of the index.
    Implied,
}

impl IndexForm {
    /// Returns the form of the value at this position of an index; `None` past the end.
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
