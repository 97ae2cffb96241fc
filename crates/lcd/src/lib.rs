//! The Local Configuration Datastore: access rights and notification targets (RFC 3411 §3.4).
//!
//! The datastore contains users, groups, views, communities and targets as rows of their MIB
//! tables. The rows come from the configuration file or from SET requests. An [`Lcd`] is an
//! immutable snapshot, compiled for the lookups that every message needs, and an [`LcdDraft`]
//! collects changes. The engine decides what the rows mean for a message; the MIB objects define
//! their object identifiers and access rules.
//!
//! ```
//! use std::sync::Arc;
//!
//! use portreeve_lcd::{GroupKey, GroupRow, Lcd, LcdDraft, StorageType, Tables};
//! use portreeve_smi::SecurityModel;
//!
//! let mut file = Tables::default();
//! let key = GroupKey { model: SecurityModel::USM, security_name: (*b"ops").into() };
//! let mut row = GroupRow::new(key);
//! row.columns.group_name = (*b"operators").into();
//! file.insert(row.into_active(StorageType::ReadOnly));
//!
//! let lcd = Arc::new(Lcd::compile(file));
//! assert_eq!(lcd.group(SecurityModel::USM, b"ops"), Some(&b"operators"[..]));
//!
//! let mut draft = LcdDraft::new(Arc::clone(&lcd));
//! draft.scalars_mut().sys_name.value = (*b"gate").into();
//! let changed = draft.into_lcd();
//! assert_eq!(&*changed.scalars().sys_name.value, b"gate");
//! assert_eq!(&*lcd.scalars().sys_name.value, b"");
//! ```

mod allowed_weaknesses;
mod assemble;
mod contexts;
mod differences;
mod draft;
mod durable;
mod index_order;
mod last_changed;
mod lcd;
mod row;
mod row_status;
mod rows;
#[cfg(test)]
mod samples;
mod scalars;
mod storage_type;
mod table;
mod tables;
mod view;

pub use allowed_weaknesses::AllowedWeaknesses;
pub use assemble::{Assembled, assemble, carry_over};
pub use contexts::ContextNames;
pub use differences::TableDifference;
pub use draft::{LcdDraft, LcdSavepoint, StateRecord};
pub use durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey};
pub use last_changed::LastChanged;
pub use lcd::Lcd;
pub use row::{ColumnSet, Columns, Name, Row};
pub use row_status::{RowAction, RowStatus, RowStatusError, row_status_after};
pub use rows::access::{Access, AccessKey, AccessRow, ContextMatch};
pub use rows::cert_to_name::{CertToName, CertToNameKey, CertToNameRow};
pub use rows::community::{Community, CommunityKey, CommunityRow};
pub use rows::group::{Group, GroupKey, GroupRow};
pub use rows::notify::{Notify, NotifyKey, NotifyRow, NotifyType};
pub use rows::notify_filter::{NotifyFilter, NotifyFilterKey, NotifyFilterRow};
pub use rows::notify_filter_profile::{NotifyFilterProfile, NotifyFilterProfileKey, NotifyFilterProfileRow};
pub use rows::target_address::{TargetAddress, TargetAddressKey, TargetAddressRow, is_tag_delimiter};
pub use rows::target_params::{TargetParams, TargetParamsKey, TargetParamsRow};
pub use rows::tls_address::{TlsAddress, TlsAddressKey, TlsAddressRow};
pub use rows::tls_params::{TlsParams, TlsParamsKey, TlsParamsRow};
pub use rows::user::{Credential, User, UserKey, UserRow};
pub use rows::view_family::{FamilyType, ViewFamily, ViewFamilyKey, ViewFamilyRow};
pub use scalars::{BoolScalar, Scalars, TestAndIncr, TextScalar};
pub use storage_type::StorageType;
pub use table::Table;
pub use tables::Tables;
pub use view::{Family, SubtreeCoverage, View};
