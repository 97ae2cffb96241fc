//! Requests that read.

use std::sync::Arc;

use portreeve_netconf_message::filter::Filter;
use portreeve_netconf_message::names::NETCONF_MONITORING;
use portreeve_netconf_message::rpc::{Datastore, WithDefaults};
use portreeve_netconf_message::rpc_error::{ErrorTag, ErrorType, RpcError};
use portreeve_yang_tree::Tree;

use super::Executor;
use crate::read::{DataView, ReplyData};
use crate::state::{Monitoring, monitoring_tree};

impl Executor {
    /// Returns the running configuration and the state data (RFC 6241 §7.7).
    pub(super) fn get(
        &self,
        session: u32,
        filter: Option<Filter>,
        with_defaults: Option<WithDefaults>,
    ) -> Result<ReplyData, RpcError> {
        check_defaults_mode(with_defaults)?;
        //= rfc6241#7.7-p1
        let mut trees = vec![self.state.tree.clone(), self.library.clone()];
        if filter.as_ref().is_none_or(|filter| filter.may_select(NETCONF_MONITORING, "netconf-state")) {
            trees.push(monitoring_tree(&Monitoring {
                schema: &self.schema,
                capabilities: &self.capabilities,
                locks: &self.locks,
                sessions: &self.sessions,
                totals: &self.totals,
                start_time: self.start_time,
            }));
        }
        ReplyData::of_trees(self.view(session, trees), filter)
    }

    /// Returns configuration (RFC 6241 §7.1).
    pub(super) fn get_config(
        &self,
        session: u32,
        source: Datastore,
        filter: Option<Filter>,
        with_defaults: Option<WithDefaults>,
    ) -> Result<ReplyData, RpcError> {
        check_defaults_mode(with_defaults)?;
        let running = &self.state.tree;
        let tree = match source {
            Datastore::Running => running,
            Datastore::Candidate => self.candidate.tree(running),
        };
        ReplyData::of_trees(self.view(session, vec![tree.clone()]), filter)
    }

    fn view(&self, session: u32, trees: Vec<Tree>) -> DataView {
        DataView::new(Arc::clone(&self.schema), trees, self.rules.read_access(self.level(session)))
    }
}

/// Checks that replies have the requested mode of default values.
///
/// # Errors
/// `invalid-value` for modes other than `explicit`, which is the only one announced.
//= rfc6243#4.5.1-p1
pub(super) fn check_defaults_mode(mode: Option<WithDefaults>) -> Result<(), RpcError> {
    let name = match mode {
        None | Some(WithDefaults::Explicit) => return Ok(()),
        Some(WithDefaults::ReportAll) => "report-all",
        Some(WithDefaults::ReportAllTagged) => "report-all-tagged",
        Some(WithDefaults::Trim) => "trim",
    };
    Err(RpcError::new(ErrorType::Protocol, ErrorTag::InvalidValue)
        .with_message(format!("the with-defaults mode {name} is not supported: use explicit")))
}
