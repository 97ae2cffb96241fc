//! One snapshot, compiled for the lookups that every message needs.
//!
//! The tables contain rows in any status. Except for [`Lcd::user`], the lookups of this module find
//! only active rows. Lookups for messages do not allocate. Tables that have not changed since the
//! previous snapshot are not recompiled; those that only notifications need are compiled at their
//! first lookup, because SETs may change them often.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use portreeve_smi::{EngineId, SecurityModel};

use crate::{
    AccessRow, Columns, CommunityRow, Family, GroupRow, Name, Row, Scalars, Table, Tables, TargetAddressRow,
    UserRow, View, index_order::counted,
};

/// An immutable snapshot of the datastore.
pub struct Lcd {
    tables: Tables,
    users: Arc<[Arc<UserRow>]>,
    groups: Arc<[Arc<GroupRow>]>,
    access: Arc<BTreeMap<Name, Vec<Arc<AccessRow>>>>,
    views: Arc<BTreeMap<Name, View>>,
    communities: Arc<BTreeMap<Name, Vec<Arc<CommunityRow>>>>,
    tagged: CompiledOnUse<BTreeMap<Name, Vec<Arc<TargetAddressRow>>>>,
    notify_filters: CompiledOnUse<BTreeMap<Name, View>>,
}

impl Lcd {
    /// Compiles `tables` to a snapshot.
    pub fn compile(tables: Tables) -> Self {
        Self {
            users: compile_users(&tables),
            groups: compile_groups(&tables),
            access: compile_access(&tables),
            views: compile_views(&tables),
            communities: compile_communities(&tables),
            tagged: CompiledOnUse::default(),
            notify_filters: CompiledOnUse::default(),
            tables,
        }
    }

    /// Compiles `tables`; tables that have not changed share their compiled form with `self`.
    pub fn recompile(&self, tables: Tables) -> Self {
        let old = &self.tables;
        Self {
            users: reuse(&old.users, &self.users, &tables, compile_users),
            groups: reuse(&old.groups, &self.groups, &tables, compile_groups),
            access: reuse(&old.access, &self.access, &tables, compile_access),
            views: reuse(&old.view_families, &self.views, &tables, compile_views),
            communities: reuse(&old.communities, &self.communities, &tables, compile_communities),
            tagged: reuse(&old.target_addresses, &self.tagged, &tables, |_| CompiledOnUse::default()),
            notify_filters: reuse(&old.notify_filters, &self.notify_filters, &tables, |_| {
                CompiledOnUse::default()
            }),
            tables,
        }
    }

    /// Returns the tables with rows in any status.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Returns the scalars.
    pub fn scalars(&self) -> &Scalars {
        &self.tables.scalars
    }

    /// Returns the user `name` of the engine `engine_id`, active or not.
    pub fn user(&self, engine_id: &EngineId, name: &[u8]) -> Option<&Arc<UserRow>> {
        let key = |row: &Arc<UserRow>| {
            let index = (counted(row.key.engine_id.as_bytes()), counted(&row.key.name));
            index.cmp(&(counted(engine_id.as_bytes()), counted(name)))
        };
        let position = self.users.binary_search_by(key).ok()?;
        self.users.get(position)
    }

    /// Returns the user `name` of the engine `engine_id` if its row is active.
    pub fn active_user(&self, engine_id: &EngineId, name: &[u8]) -> Option<&Arc<UserRow>> {
        self.user(engine_id, name).filter(|row| row.is_active())
    }

    /// Returns the vacmGroupName of this principal.
    pub fn group(&self, model: SecurityModel, security_name: &[u8]) -> Option<&[u8]> {
        let key = |row: &Arc<GroupRow>| {
            (row.key.model, counted(&row.key.security_name)).cmp(&(model, counted(security_name)))
        };
        let position = self.groups.binary_search_by(key).ok()?;
        self.groups.get(position).map(|row| &*row.group_name)
    }

    /// Returns the access rights of this group, sorted by index.
    pub fn access_entries(&self, group: &[u8]) -> impl ExactSizeIterator<Item = &Arc<AccessRow>> {
        rows_named(&self.access, group)
    }

    /// Returns the view with this name. Returns `None` if the view has no active family and is
    /// therefore empty.
    pub fn view(&self, name: &[u8]) -> Option<&View> {
        self.views.get(name)
    }

    /// Returns the rows whose community string is `name`, sorted by index.
    pub fn communities_matching(&self, name: &[u8]) -> impl ExactSizeIterator<Item = &Arc<CommunityRow>> {
        rows_named(&self.communities, name)
    }

    /// Returns the target addresses with this tag, sorted by name.
    pub fn targets_tagged(&self, tag: &[u8]) -> impl ExactSizeIterator<Item = &Arc<TargetAddressRow>> {
        rows_named(self.tagged.get(|| compile_tagged(&self.tables)), tag)
    }

    /// Returns the notification filter of this profile; `None` if the filter has no active row.
    pub fn notify_filter(&self, profile: &[u8]) -> Option<&View> {
        self.notify_filters.get(|| compile_notify_filters(&self.tables)).get(profile)
    }

    /// Returns true if this engine has the context. The default context, `""`, always exists.
    pub fn has_context(&self, name: &[u8]) -> bool {
        self.tables.contexts.contains(name)
    }
}

impl Default for Lcd {
    /// A datastore without rows, which grants no access.
    fn default() -> Self {
        Self::compile(Tables::default())
    }
}

fn rows_named<'l, R>(map: &'l BTreeMap<Name, Vec<Arc<R>>>, name: &[u8]) -> std::slice::Iter<'l, Arc<R>> {
    map.get(name).map_or(&[][..], Vec::as_slice).iter()
}

fn compile_users(tables: &Tables) -> Arc<[Arc<UserRow>]> {
    tables.users.iter().cloned().collect()
}

fn compile_groups(tables: &Tables) -> Arc<[Arc<GroupRow>]> {
    tables.groups.active().cloned().collect()
}

fn compile_access(tables: &Tables) -> Arc<BTreeMap<Name, Vec<Arc<AccessRow>>>> {
    Arc::new(by_name(tables.access.active().map(|row| (&*row.key.group_name, row))))
}

fn compile_views(tables: &Tables) -> Arc<BTreeMap<Name, View>> {
    Arc::new(views(
        tables
            .view_families
            .active()
            .map(|row| (&row.key.view_name, Family::new(row.key.subtree.clone(), &row.mask, row.kind))),
    ))
}

fn compile_communities(tables: &Tables) -> Arc<BTreeMap<Name, Vec<Arc<CommunityRow>>>> {
    Arc::new(by_name(tables.communities.active().map(|row| (&*row.name, row))))
}

fn compile_tagged(tables: &Tables) -> BTreeMap<Name, Vec<Arc<TargetAddressRow>>> {
    by_name(tables.target_addresses.active().flat_map(|row| row.tags().map(move |tag| (tag, row))))
}

fn compile_notify_filters(tables: &Tables) -> BTreeMap<Name, View> {
    views(
        tables
            .notify_filters
            .active()
            .map(|row| (&row.key.profile_name, Family::new(row.key.subtree.clone(), &row.mask, row.kind))),
    )
}

fn by_name<'a, C: Columns>(
    rows: impl Iterator<Item = (&'a [u8], &'a Arc<Row<C>>)>,
) -> BTreeMap<Name, Vec<Arc<Row<C>>>> {
    let mut map: BTreeMap<Name, Vec<Arc<Row<C>>>> = BTreeMap::new();
    for (name, row) in rows {
        map.entry(name.into()).or_default().push(Arc::clone(row));
    }
    map
}

fn views<'a>(families: impl Iterator<Item = (&'a Name, Family)>) -> BTreeMap<Name, View> {
    let mut map: BTreeMap<Name, Vec<Family>> = BTreeMap::new();
    for (name, family) in families {
        map.entry(Arc::clone(name)).or_default().push(family);
    }
    map.into_iter().map(|(name, families)| (name, View::new(families))).collect()
}

/// The compiled form of a table, which is computed at the first use. Clones share it.
struct CompiledOnUse<T>(Arc<OnceLock<T>>);

impl<T> CompiledOnUse<T> {
    fn get(&self, compile: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(compile)
    }
}

impl<T> Clone for CompiledOnUse<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Default for CompiledOnUse<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

/// Returns the result compiled from the `old` table if `tables` still contains that table.
fn reuse<C: Columns, T: Clone>(
    old: &Table<C>,
    compiled: &T,
    tables: &Tables,
    compile: impl Fn(&Tables) -> T,
) -> T {
    if C::table(tables).is_same(old) { compiled.clone() } else { compile(tables) }
}

#[cfg(test)]
mod tests;
