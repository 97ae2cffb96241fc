//! libyang behind safe types: all unsafe code of this crate.
//!
//! A [`Context`] owns everything that libyang allocates. All other types are pointers into it,
//! which cannot outlive it. They read single fields and hold no references to the structures,
//! because functions of libyang may change reference counters in them.

#![allow(unsafe_code, reason = "libyang is a C library")]

mod context;
#[cfg(test)]
mod data;
mod extension;
mod import;
mod message;
mod module;
mod node;
mod pointer;
mod restriction;
mod type_;

pub(crate) use context::{Context, Features};
#[cfg(test)]
pub(crate) use data::Verdict;
pub(crate) use extension::Extension;
pub(crate) use import::{ModuleRequest, ModuleSource};
pub(crate) use message::Message;
pub(crate) use module::{Identity, Module};
pub(crate) use node::{Node, NodeKind};
pub(crate) use restriction::{Bounds, Constraint, Pattern, Prefixes};
pub(crate) use type_::{BaseType, Type, TypeItem};
