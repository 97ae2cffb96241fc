//! Types after resolution of typedefs.

use libyang5_sys as sys;

use super::{
    Bounds, Identity, Pattern, Prefixes,
    pointer::{Pointer, elements, targets, text},
    restriction::expression,
};

/// A type of a leaf, a leaf-list, or a member of a union. Leafs may share a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Type<'c> {
    raw: Pointer<'c, sys::lysc_type>,
}

/// The built-in types (RFC 7950 section 4.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaseType {
    Binary,
    Bits,
    Boolean,
    Decimal64,
    Empty,
    Enumeration,
    IdentityRef,
    InstanceIdentifier,
    Int8,
    Int16,
    Int32,
    Int64,
    LeafRef,
    String,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Union,
}

impl<'c> Type<'c> {
    /// # Safety
    ///
    /// The pointer must be null or a compiled type.
    pub(super) unsafe fn new(raw: *const sys::lysc_type) -> Option<Self> {
        // SAFETY: types live as long as the context.
        unsafe { Pointer::new(raw) }.map(|raw| Self { raw })
    }

    /// Returns a number that identifies the type within its context.
    pub(crate) fn address(self) -> usize {
        self.raw.raw().addr()
    }

    pub(crate) fn base(self) -> Option<BaseType> {
        use sys::LY_DATA_TYPE as t;
        Some(match self.raw.read().basetype {
            t::LY_TYPE_BINARY => BaseType::Binary,
            t::LY_TYPE_BITS => BaseType::Bits,
            t::LY_TYPE_BOOL => BaseType::Boolean,
            t::LY_TYPE_DEC64 => BaseType::Decimal64,
            t::LY_TYPE_EMPTY => BaseType::Empty,
            t::LY_TYPE_ENUM => BaseType::Enumeration,
            t::LY_TYPE_IDENT => BaseType::IdentityRef,
            t::LY_TYPE_INST => BaseType::InstanceIdentifier,
            t::LY_TYPE_INT8 => BaseType::Int8,
            t::LY_TYPE_INT16 => BaseType::Int16,
            t::LY_TYPE_INT32 => BaseType::Int32,
            t::LY_TYPE_INT64 => BaseType::Int64,
            t::LY_TYPE_LEAFREF => BaseType::LeafRef,
            t::LY_TYPE_STRING => BaseType::String,
            t::LY_TYPE_UINT8 => BaseType::Uint8,
            t::LY_TYPE_UINT16 => BaseType::Uint16,
            t::LY_TYPE_UINT32 => BaseType::Uint32,
            t::LY_TYPE_UINT64 => BaseType::Uint64,
            t::LY_TYPE_UNION => BaseType::Union,
            _ => return None,
        })
    }

    /// Returns the name of the typedef that the leaf refers to, without its prefix. A typedef that
    /// only names another typedef may be replaced by that one.
    pub(crate) fn typedef(self) -> Option<&'c str> {
        // SAFETY: texts of a type live as long as the context.
        unsafe { text(self.raw.read().name) }
    }

    /// Returns the range of a number, or the length of a string or binary.
    pub(crate) fn bounds(self) -> Option<Bounds<'c>> {
        use BaseType as B;
        let base = self.base()?;
        let is_signed = matches!(base, B::Int8 | B::Int16 | B::Int32 | B::Int64 | B::Decimal64);
        // SAFETY: `base` says which structure the type is.
        unsafe {
            let range = match base {
                B::Binary => self.raw.cast::<sys::lysc_type_bin>().read().length,
                B::String => self.raw.cast::<sys::lysc_type_str>().read().length,
                B::Decimal64 => self.raw.cast::<sys::lysc_type_dec>().read().range,
                B::Int8 | B::Int16 | B::Int32 | B::Int64 | B::Uint8 | B::Uint16 | B::Uint32 | B::Uint64 => {
                    self.raw.cast::<sys::lysc_type_num>().read().range
                }
                _ => return None,
            };
            Bounds::new(range, is_signed)
        }
    }

    /// Returns the patterns of a string, which a value must all satisfy.
    pub(crate) fn patterns(self) -> Vec<Pattern<'c>> {
        if self.base() != Some(BaseType::String) {
            return Vec::new();
        }
        // SAFETY: a string has a sized array of pointers to patterns.
        unsafe { targets(self.raw.cast::<sys::lysc_type_str>().read().patterns) }.map(Pattern::new).collect()
    }

    /// Returns the number of fraction digits of a decimal64.
    pub(crate) fn fraction_digits(self) -> Option<u8> {
        // SAFETY: the type is a decimal64.
        (self.base() == Some(BaseType::Decimal64))
            .then(|| unsafe { self.raw.cast::<sys::lysc_type_dec>() }.read().fraction_digits)
    }

    /// Returns the names of an enumeration with their values, or of bits with their positions.
    pub(crate) fn items(self) -> Vec<TypeItem<'c>> {
        let is_bits = match self.base() {
            Some(BaseType::Bits) => true,
            Some(BaseType::Enumeration) => false,
            _ => return Vec::new(),
        };
        // SAFETY: enumerations and bits have the same fields: a sized array of items. The texts of
        // an item live as long as the context.
        unsafe {
            let items = elements(self.raw.cast::<sys::lysc_type_enum>().read().enums);
            let item = |item: Pointer<'c, sys::lysc_type_bitenum_item>| {
                let item = item.read();
                let number = item.__bindgen_anon_1;
                TypeItem {
                    name: text(item.name).unwrap_or_default(),
                    number: if is_bits { number.position.into() } else { number.value.into() },
                }
            };
            items.map(item).collect()
        }
    }

    /// Returns the base identities of an identityref.
    pub(crate) fn bases(self) -> Vec<Identity<'c>> {
        if self.base() != Some(BaseType::IdentityRef) {
            return Vec::new();
        }
        // SAFETY: an identityref has a sized array of pointers to identities.
        let bases = unsafe { targets(self.raw.cast::<sys::lysc_type_identityref>().read().bases) };
        bases.map(Identity::new).collect()
    }

    /// Returns the member types of a union, in order.
    pub(crate) fn members(self) -> Vec<Type<'c>> {
        if self.base() != Some(BaseType::Union) {
            return Vec::new();
        }
        // SAFETY: a union has a sized array of pointers to types.
        let members = unsafe { targets(self.raw.cast::<sys::lysc_type_union>().read().types) };
        members.map(|raw| Type { raw }).collect()
    }

    /// Returns the path of a leafref and its prefixes.
    pub(crate) fn path(self) -> Option<(&'c str, Prefixes<'c>)> {
        if self.base() != Some(BaseType::LeafRef) {
            return None;
        }
        // SAFETY: the type is a leafref, with an expression and a sized array of prefixes.
        unsafe {
            let leafref = self.raw.cast::<sys::lysc_type_leafref>().read();
            Some((expression(leafref.path), Prefixes::new(leafref.prefixes)))
        }
    }

    /// Returns true if the target of a leafref or instance-identifier must exist.
    pub(crate) fn requires_instance(self) -> bool {
        // SAFETY: the base type says which structure the type is.
        unsafe {
            match self.base() {
                Some(BaseType::LeafRef) => {
                    self.raw.cast::<sys::lysc_type_leafref>().read().require_instance != 0
                }
                Some(BaseType::InstanceIdentifier) => {
                    self.raw.cast::<sys::lysc_type_instanceid>().read().require_instance != 0
                }
                _ => false,
            }
        }
    }
}

/// A name of an enumeration, or a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypeItem<'c> {
    pub(crate) name: &'c str,
    /// The value of the name, or the position of the bit.
    pub(crate) number: i64,
}
