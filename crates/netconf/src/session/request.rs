//! The request that is being read.

use portreeve_netconf_message::rpc::{ConfigUse, OperationName, RpcHandler, RpcReader};
use portreeve_netconf_message::rpc_error::{ErrorTag, ErrorType, RpcError};
use portreeve_yang_text::xml::{Event, Start};

use super::MAX_MESSAGE_OCTETS;
use crate::Datastores;

/// The part of a request that [`RpcReader`] does not store.
pub(super) struct Request<C> {
    /// The operation, when it is known.
    pub(super) operation: Option<OperationName>,
    pub(super) config: Option<C>,
    octets: u64,
}

/// Passes the calls of the reader to the datastores.
pub(super) struct Handler<'h, D: Datastores> {
    session: u32,
    request: &'h mut Request<D::Config>,
    datastores: &'h mut D,
}

impl<C> Default for Request<C> {
    fn default() -> Self {
        Self { operation: None, config: None, octets: 0 }
    }
}

impl<C> Request<C> {
    /// Counts octets of the request. Refuses it if it is too long, or if all sessions together send
    /// too much; the rest is skipped.
    pub(super) fn count(
        &mut self,
        session: u32,
        octets: usize,
        rpc: &mut RpcReader,
        datastores: &mut impl Datastores,
    ) {
        if rpc.is_refused() {
            return;
        }
        // A slice is never longer than what 64 bits count.
        let octets = octets as u64;
        self.octets = self.octets.saturating_add(octets);
        if self.octets > MAX_MESSAGE_OCTETS {
            let message = format!("the request is longer than {MAX_MESSAGE_OCTETS} octets");
            rpc.refuse(RpcError::new(ErrorType::Rpc, ErrorTag::TooBig).with_message(message));
        } else if let Err(error) = datastores.count_octets(session, octets) {
            rpc.refuse(error);
        }
    }

    pub(super) fn handler<'h, D>(&'h mut self, session: u32, datastores: &'h mut D) -> Handler<'h, D>
    where
        D: Datastores<Config = C>,
    {
        Handler { session, request: self, datastores }
    }
}

impl<D: Datastores> RpcHandler for Handler<'_, D> {
    fn begin_operation(&mut self, operation: OperationName) -> Result<(), RpcError> {
        self.request.operation = Some(operation);
        self.datastores.begin_operation(self.session, operation)
    }

    fn begin_config(&mut self, config: ConfigUse, start: Start<'_>) -> Result<(), RpcError> {
        self.request.config = Some(self.datastores.begin_config(self.session, config, start)?);
        Ok(())
    }

    fn config_event(&mut self, event: Event<'_>) -> Result<(), RpcError> {
        match &mut self.request.config {
            Some(config) => self.datastores.config_event(config, event),
            None => Ok(()),
        }
    }
}
