//! The octets of each definition and of its parts.

use super::{
    FileReason, Item,
    reader::Reader,
    writer::{write_list, write_text},
};
use crate::{
    Bit, Choice, Constraint, ConstraintKind, Container, EnumValue, ErrorStatements, Extension, Identity,
    IdentityId, Import, IntegerKind, Interval, Leaf, LeafList, LeafrefPath, LeafrefPredicate, LeafrefStart,
    LeafrefStep, LengthRestriction, List, Module, ModuleId, Node, NodeId, NodeKind, PatternRestriction,
    RangeRestriction, SourcePlace, Status, Submodule, Type, TypeId, TypeKind, Typedef, YangVersion,
};

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl Item for $number {
            fn write(&self, file: &mut Vec<u8>) {
                file.extend(self.to_be_bytes());
            }

            fn read(file: &mut Reader<'_>) -> Result<Self, FileReason> {
                file.octets().map(Self::from_be_bytes)
            }
        }
    )*};
}

/// Items that consist of one other.
macro_rules! ids {
    ($($id:ident)*) => {$(
        impl Item for $id {
            fn write(&self, file: &mut Vec<u8>) {
                self.0.write(file);
            }

            fn read(file: &mut Reader<'_>) -> Result<Self, FileReason> {
                Item::read(file).map(Self)
            }
        }
    )*};
}

/// Items that consist of their fields in the given order. All fields have to be listed.
macro_rules! structures {
    ($($name:ident $(<$parameter:ident>)? { $($field:ident),* })*) => {$(
        impl $(<$parameter: Item>)? Item for $name $(<$parameter>)? {
            fn write(&self, file: &mut Vec<u8>) {
                let Self { $($field),* } = self;
                $($field.write(file);)*
            }

            fn read(file: &mut Reader<'_>) -> Result<Self, FileReason> {
                Ok(Self { $($field: Item::read(file)?),* })
            }
        }
    )*};
}

/// Items that are one of several, each of which has a number and fields.
macro_rules! choices {
    ($($name:ident { $($number:literal $variant:ident $({ $($field:ident),* })? $(($($value:ident),*))?)* })*) => {$(
        impl Item for $name {
            fn write(&self, file: &mut Vec<u8>) {
                match self {
                    $(Self::$variant $({ $($field),* })? $(($($value),*))? => {
                        file.push($number);
                        $($($field.write(file);)*)?
                        $($($value.write(file);)*)?
                    })*
                }
            }

            fn read(file: &mut Reader<'_>) -> Result<Self, FileReason> {
                match u8::read(file)? {
                    $($number => {
                        $($(let $field = Item::read(file)?;)*)?
                        $($(let $value = Item::read(file)?;)*)?
                        Ok(Self::$variant $({ $($field),* })? $(($($value),*))?)
                    })*
                    _ => Err(FileReason::InvalidItem),
                }
            }
        }
    )*};
}

numbers! { u8 u16 u32 u64 i32 i128 }
ids! { NodeId ModuleId TypeId IdentityId }

structures! {
    Module {
        name, namespace, prefix, revision, yang_version, features, deviations, is_implemented, text, submodules, imports
    }
    Submodule { name, revision, text }
    Import { prefix, module, revision }
    Identity { name, module, bases, status }
    Type { typedef, kind }
    Typedef { module, name }
    Interval<T> { min, max }
    RangeRestriction { intervals, error }
    LengthRestriction { intervals, error }
    PatternRestriction { expression, is_inverted, error }
    EnumValue { name, value }
    Bit { name, position }
    LeafrefPath { start, steps }
    LeafrefStep { node, predicates }
    LeafrefPredicate { key, up, steps }
    ErrorStatements { message, app_tag }
    Node { name, module, parent, kind, config, status, extensions, constraints, place }
    SourcePlace { file, line }
    Container { presence }
    List { keys, user_ordered, min, max, uniques }
    Leaf { value_type, default, mandatory, is_key, units }
    LeafList { value_type, defaults, user_ordered, min, max, units }
    Choice { default, mandatory }
    Extension { module, name, argument }
    Constraint { kind, expression, prefixes, context, error, file, line }
}

choices! {
    YangVersion { 0 Version1 1 Version1_1 }
    Status { 0 Current 1 Deprecated 2 Obsolete }
    ConstraintKind { 0 Must 1 When }
    NodeKind {
        0 Root
        1 Container(properties)
        2 List(properties)
        3 Leaf(properties)
        4 LeafList(properties)
        5 Choice(properties)
        6 Case
        7 AnyData { mandatory }
        8 AnyXml { mandatory }
        9 Rpc
        10 Action
        11 Input
        12 Output
        13 Notification
    }
    TypeKind {
        0 Integer { kind, range }
        1 Decimal64 { fraction_digits, range }
        2 String { length, patterns }
        3 Boolean
        4 Enumeration { values }
        5 Bits { bits }
        6 Binary { length }
        7 Leafref { target, path, steps, require_instance }
        8 Identityref { bases }
        9 Empty
        10 Union { members }
        11 InstanceIdentifier { require_instance }
    }
    IntegerKind { 0 Int8 1 Int16 2 Int32 3 Int64 4 Uint8 5 Uint16 6 Uint32 7 Uint64 }
    LeafrefStart { 0 Root 1 Up(levels) }
}

impl Item for bool {
    fn write(&self, file: &mut Vec<u8>) {
        file.push(u8::from(*self));
    }

    fn read(file: &mut Reader<'_>) -> Result<Self, FileReason> {
        match u8::read(file)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(FileReason::InvalidItem),
        }
    }
}

impl Item for Box<str> {
    fn write(&self, file: &mut Vec<u8>) {
        write_text(self, file);
    }

    fn read(file: &mut Reader<'_>) -> Result<Self, FileReason> {
        file.text().map(Self::from)
    }
}

impl<T: Item> Item for Option<T> {
    fn write(&self, file: &mut Vec<u8>) {
        self.is_some().write(file);
        if let Some(item) = self {
            item.write(file);
        }
    }

    fn read(file: &mut Reader<'_>) -> Result<Self, FileReason> {
        if bool::read(file)? { T::read(file).map(Some) } else { Ok(None) }
    }
}

impl<T: Item> Item for Vec<T> {
    fn write(&self, file: &mut Vec<u8>) {
        write_list(self, file);
    }

    fn read(file: &mut Reader<'_>) -> Result<Self, FileReason> {
        file.list()
    }
}

impl<T: Item> Item for Box<T> {
    fn write(&self, file: &mut Vec<u8>) {
        (**self).write(file);
    }

    fn read(file: &mut Reader<'_>) -> Result<Self, FileReason> {
        T::read(file).map(Self::new)
    }
}

impl<A: Item, B: Item> Item for (A, B) {
    fn write(&self, file: &mut Vec<u8>) {
        self.0.write(file);
        self.1.write(file);
    }

    fn read(file: &mut Reader<'_>) -> Result<Self, FileReason> {
        Ok((A::read(file)?, B::read(file)?))
    }
}
