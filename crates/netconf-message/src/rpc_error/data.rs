//! Errors of data: those of a request, and those of a configuration that would not be valid
//! (RFC 7950 §8.3 and §15).

use portreeve_yang::{Entry, InstancePath, NodeId, NodeKind, Schema};
use portreeve_yang_text::read::{AttributeOf, ReadError, ReadReason};
use portreeve_yang_text::xml::Name;
use portreeve_yang_tree::{EditError, EditReason, Fault, FaultReason};

use super::{ErrorInfo, ErrorPath, ErrorTag, ErrorType, RpcError};
use crate::names::{QualifiedName, YANG};

impl RpcError {
    /// Creates the error for data of a request that do not fit the schema, or that cannot be edited
    /// in this way.
    #[must_use]
    pub fn of_read_error(error: &ReadError, schema: &Schema) -> Self {
        let of = |of: &AttributeOf| (of.attribute.clone().into(), of.element.clone().into());
        let kind = ErrorType::Application;
        let of_reason = match &error.reason {
            ReadReason::UnknownNamespace(element) => Self::unknown_namespace(kind, element.clone().into()),
            //= rfc7950#8.3.1-p4
            ReadReason::UnknownElement(element) => Self::unknown_element(kind, element.clone().into()),
            ReadReason::UnknownAttribute(names) => {
                let (attribute, element) = of(names);
                Self::unknown_attribute(kind, attribute, element)
            }
            ReadReason::MissingAttribute(names) => {
                let (attribute, element) = of(names);
                Self::missing_attribute(kind, attribute, element)
            }
            ReadReason::BadAttribute(names) => {
                let (attribute, element) = of(names);
                Self::bad_attribute(kind, attribute, element)
            }
            ReadReason::MixedContent => Self::bad_element(kind, name_of(error.path.node(), schema)),
            //= rfc7950#8.3.1-p1
            ReadReason::InvalidValue(value) => {
                let mut invalid = Self::new(kind, ErrorTag::InvalidValue);
                invalid.app_tag = value.app_tag.as_ref().map(|tag| tag.to_string().into());
                invalid
            }
            ReadReason::LongValue => Self::new(kind, ErrorTag::TooBig),
            ReadReason::Unsupported | ReadReason::RowStatus => {
                Self::new(kind, ErrorTag::OperationNotSupported)
            }
            ReadReason::Edit(reason) => Self::of_edit_reason(*reason, error.path.node(), schema),
        };
        of_reason.with_message(error.to_string()).with_path(ErrorPath::of_instance(&error.path, schema))
    }

    /// Creates the error for an edit that is refused.
    #[must_use]
    pub fn of_edit_error(error: &EditError, schema: &Schema) -> Self {
        Self::of_read_error(&ReadError::from(error.clone()), schema)
    }

    /// Creates the error for a fault of a configuration (RFC 7950 §15).
    #[must_use]
    pub fn of_fault(fault: &Fault, schema: &Schema) -> Self {
        let new = |tag| Self::new(ErrorType::Application, tag);
        let name = |node: NodeId| schema.node(node).name.clone();
        let path = || ErrorPath::of_instance(&fault.path, schema);
        let (error, message) = match fault.reason {
            FaultReason::MandatoryMissing => {
                (new(ErrorTag::DataMissing), "a mandatory node is missing".to_owned())
            }
            //= rfc7950#15.6-p1
            FaultReason::ChoiceMissing(choice) => {
                let mut error = new(ErrorTag::DataMissing).with_app_tag("missing-choice");
                error.info = vec![ErrorInfo::MissingChoice(name(choice))];
                (error, format!("no case of the mandatory choice {:?} exists", name(choice)))
            }
            FaultReason::SeveralCases(choice) => {
                let message = format!("nodes of several cases of the choice {:?} exist", name(choice));
                let node = name_of(fault.path.node(), schema);
                (Self::bad_element(ErrorType::Application, node), message)
            }
            //= rfc7950#15.3-p1
            FaultReason::TooFewElements => (
                new(ErrorTag::OperationFailed).with_app_tag("too-few-elements"),
                "the list has too few entries".to_owned(),
            ),
            //= rfc7950#15.2-p1
            FaultReason::TooManyElements => (
                new(ErrorTag::OperationFailed).with_app_tag("too-many-elements"),
                "the list has too many entries".to_owned(),
            ),
            //= rfc7950#15.1-p1
            FaultReason::NotUnique(number) => {
                let mut error = new(ErrorTag::OperationFailed).with_app_tag("data-not-unique");
                error.info = unique_leafs(&fault.path, number, schema);
                (error, "another entry of the list has the same values".to_owned())
            }
            //= rfc7950#15.5-p1
            FaultReason::InstanceRequired => (
                new(ErrorTag::DataMissing).with_app_tag("instance-required"),
                "the instance to which the value refers does not exist".to_owned(),
            ),
        };
        error.with_message(message).with_path(path())
    }

    fn of_edit_reason(reason: EditReason, node: NodeId, schema: &Schema) -> Self {
        let kind = ErrorType::Application;
        let new = |tag| Self::new(kind, tag);
        let element = || name_of(node, schema);
        let yang = |local: &str| QualifiedName { namespace: YANG.into(), local: local.into() };
        match reason {
            //= rfc7950#8.3.2-p1
            EditReason::DataExists => new(ErrorTag::DataExists),
            //= rfc7950#8.3.2-p2
            EditReason::DataMissing => new(ErrorTag::DataMissing),
            //= rfc7950#8.3.1-p2
            EditReason::MissingKey(key) => Self::missing_element(kind, name_of(key, schema)),
            EditReason::InvalidKey | EditReason::MissingValue => new(ErrorTag::InvalidValue),
            EditReason::KeyRemoved => {
                Self::bad_attribute(kind, QualifiedName::netconf("operation"), element())
            }
            //= rfc7950#8.3.1-p3
            EditReason::KeysNotFirst | EditReason::Duplicate | EditReason::TwoCases(_) => {
                Self::bad_element(kind, element())
            }
            //= rfc7950#15.7-p1
            EditReason::UnknownAnchor => {
                Self::bad_attribute(kind, yang("insert"), element()).with_app_tag("missing-instance")
            }
            EditReason::NotUserOrdered => Self::unknown_attribute(kind, yang("insert"), element()),
            EditReason::NotConfiguration | EditReason::NotAChild => Self::unknown_element(kind, element()),
            EditReason::RowTooLarge | EditReason::KeyTooLong => new(ErrorTag::TooBig),
            EditReason::AccessDenied => new(ErrorTag::AccessDenied),
        }
    }
}

impl ErrorPath {
    /// Creates the path of an instance. Its names have the prefixes of the schema.
    #[must_use]
    pub fn of_instance(path: &InstancePath, schema: &Schema) -> Self {
        let declaration =
            |module| (schema.unique_prefix(module).to_owned(), schema.module(module).namespace.to_string());
        Self {
            xpath: path.xpath(schema).to_string(),
            prefixes: path.modules(schema).into_iter().map(declaration).collect(),
        }
    }
}

/// Returns the paths of the leafs in the `unique` statement with this number, in one list entry.
fn unique_leafs(entry: &InstancePath, number: usize, schema: &Schema) -> Vec<ErrorInfo> {
    let NodeKind::List(list) = &schema.node(entry.node()).kind else { return Vec::new() };
    let path_of = |leaf: &NodeId| {
        let mut inner = vec![*leaf];
        let mut parent = schema.data_parent(*leaf);
        while let Some(node) = parent.filter(|node| *node != entry.node()) {
            inner.push(node);
            parent = schema.data_parent(node);
        }
        let mut path = entry.clone();
        inner.iter().rev().for_each(|node| path.push(*node, Entry::All));
        ErrorInfo::NonUnique(ErrorPath::of_instance(&path, schema))
    };
    list.uniques.get(number).into_iter().flatten().map(path_of).collect()
}

/// Returns the name of a node in XML. The root is the element `config`, which contains all data.
fn name_of(node: NodeId, schema: &Schema) -> QualifiedName {
    if node == NodeId::ROOT {
        return QualifiedName::netconf("config");
    }
    let definition = schema.node(node);
    Name { namespace: &schema.module(definition.module).namespace, local: &definition.name }.into()
}
