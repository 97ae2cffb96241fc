//! Reads one request.
//!
//! ```text
//! Document ─rpc─▶ Rpc ─operation─▶ Operation ─parameter─▶ Leaf, Datastores, Filter or Config
//! ```

use portreeve_yang_text::xml::{Event, Name, Scope, Start, Tokenizer, XmlError};

use super::arguments::{Arguments, invalid_value};
use super::checks::{check_filter, message_id, refuse_attributes, unexpected};
use super::parameter::{self, Parameter};
use super::{ConfigUse, Operation, OperationName, Source};
use crate::ReplyTag;
use crate::filter::FilterBuilder;
use crate::names::{NETCONF, QualifiedName};
use crate::rpc_error::{ErrorTag, ErrorType, RpcError};

/// Maximum length of a message-id, in characters (RFC 6241 Appendix B).
pub const MAX_MESSAGE_ID: usize = 4095;

/// Maximum length of the text of a parameter, in octets.
pub const MAX_PARAMETER: usize = 1024;

/// A complete request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rpc {
    /// The start tag of its reply.
    pub reply: ReplyTag,
    /// The operation, or the error that the reply contains.
    pub operation: Result<Operation, RpcError>,
}

/// Takes part in reading a request.
pub trait RpcHandler {
    /// Called with the operation before its parameters are read. An error refuses the request.
    ///
    /// # Errors
    /// The reason, for example that the user has no right to the operation.
    fn begin_operation(&mut self, operation: OperationName) -> Result<(), RpcError>;

    /// Called with the start tag of `config`. Other parameters may follow it. An error refuses the
    /// request.
    ///
    /// # Errors
    /// The reason.
    fn begin_config(&mut self, config: ConfigUse, start: Start<'_>) -> Result<(), RpcError>;

    /// Called with each event within `config`. An error refuses the request.
    ///
    /// # Errors
    /// The reason.
    fn config_event(&mut self, event: Event<'_>) -> Result<(), RpcError>;
}

/// Reads one request, in any pieces.
#[derive(Debug, Default)]
pub struct RpcReader {
    tokenizer: Tokenizer,
    state: State,
}

#[derive(Debug, Default)]
struct State {
    place: Place,
    reply: ReplyTag,
    operation: Option<OperationName>,
    arguments: Arguments,
    error: Option<RpcError>,
    filter: FilterBuilder,
    /// The text of the current parameter, at most [`MAX_PARAMETER`] octets.
    text: String,
}

/// The innermost element that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Document,
    Rpc,
    Operation(OperationName),
    /// A parameter that consists of text.
    Leaf(OperationName, Parameter),
    /// `source` or `target`.
    Datastores(OperationName, Parameter),
    /// An empty element in `source` or `target`.
    Datastore(OperationName, Parameter),
    /// `filter`, with the number of open elements in it.
    Filter(OperationName, usize),
    /// `config`, with the number of open elements in it, and the parameter that contains it.
    Config(OperationName, usize, Option<Parameter>),
}

/// The continuation after a start tag.
enum Next {
    Enter(Place),
    Skip,
}

impl RpcReader {
    /// Reads the next octets of the message.
    ///
    /// # Errors
    /// If the message is not well-formed. The session then ends after the reply (RFC 6241 §3).
    pub fn push(&mut self, mut octets: &[u8], handler: &mut impl RpcHandler) -> Result<(), XmlError> {
        let Self { tokenizer, state } = self;
        while let Some(event) = tokenizer.next_event(&mut octets)? {
            let outcome = match event {
                _ if state.error.is_some() => Ok(Next::Skip),
                Event::Start(start) => state.start(start, handler),
                Event::Text(text) => state.text(text, handler).map(|()| Next::Enter(state.place)),
                Event::End(end) => state.end(event, end.scope, handler).map(Next::Enter),
            };
            let is_start = matches!(event, Event::Start(_));
            match outcome {
                Ok(Next::Enter(place)) => state.place = place,
                Ok(Next::Skip) if is_start => tokenizer.skip_element(),
                Ok(Next::Skip) => {}
                Err(error) => {
                    state.error = Some(error);
                    tokenizer.skip_element();
                }
            }
        }
        Ok(())
    }

    /// Returns the request at the end of the message, and prepares for the next one.
    ///
    /// # Errors
    /// If the message is not well-formed.
    pub fn finish(&mut self) -> Result<Rpc, XmlError> {
        self.tokenizer.finish()?;
        self.tokenizer.reset();
        let state = std::mem::take(&mut self.state);
        let operation = match (state.error, state.operation) {
            (Some(error), _) => Err(error),
            (None, Some(name)) => state.arguments.into_operation(name),
            (None, None) => {
                let element = QualifiedName::netconf("rpcOperation");
                Err(RpcError::missing_element(ErrorType::Protocol, element)
                    .with_message("the request contains no operation"))
            }
        };
        Ok(Rpc { reply: state.reply, operation })
    }

    /// Refuses the request, unless an error has been found before. Its rest is skipped.
    pub fn refuse(&mut self, error: RpcError) {
        self.state.error.get_or_insert(error);
    }

    /// Returns true if an error has been found. No more calls of the handler follow.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.state.error.is_some()
    }

    /// Returns the start tag of the reply, as far as it is known. Serves for the reply to a message
    /// that is not well-formed.
    #[must_use]
    pub fn reply_tag(&self) -> &ReplyTag {
        &self.state.reply
    }
}

impl State {
    fn start(&mut self, start: Start<'_>, handler: &mut impl RpcHandler) -> Result<Next, RpcError> {
        let start = self.with_namespace(start);
        let place = match self.place {
            Place::Document => self.start_rpc(start)?,
            Place::Rpc => self.start_operation(start, handler)?,
            Place::Operation(operation) => self.start_parameter(operation, start, handler)?,
            Place::Datastores(operation, parameter) => {
                self.start_datastore(operation, parameter, start, handler)?
            }
            Place::Leaf(operation, _) | Place::Datastore(operation, _) => {
                return Err(unexpected(operation.namespace(), start.name));
            }
            Place::Filter(operation, depth) => {
                self.filter.start(start)?;
                Place::Filter(operation, depth + 1)
            }
            Place::Config(operation, depth, within) => {
                handler.config_event(Event::Start(start))?;
                Place::Config(operation, depth + 1, within)
            }
        };
        Ok(Next::Enter(place))
    }

    /// Returns the start tag of an operation or parameter with the namespace that it should have,
    /// if it has none. Clients whose `rpc` element has a prefix omit it within.
    fn with_namespace<'s>(&self, start: Start<'s>) -> Start<'s> {
        let namespace = match self.place {
            Place::Rpc => NETCONF,
            Place::Operation(operation) | Place::Datastores(operation, _) => operation.namespace(),
            _ => return start,
        };
        match start.name.namespace {
            "" => Start { name: Name { namespace, ..start.name }, ..start },
            _ => start,
        }
    }

    fn start_rpc(&mut self, start: Start<'_>) -> Result<Place, RpcError> {
        if start.name != (Name { namespace: NETCONF, local: "rpc" }) {
            if start.name.local == "rpc" {
                self.reply = ReplyTag::of_other_root(start);
            }
            return Err(unexpected(NETCONF, start.name));
        }
        self.reply = ReplyTag::of_request(start);
        let (attribute, element) = (message_id(), QualifiedName::netconf("rpc"));
        match start.attributes.get("", "message-id") {
            //= rfc6241#4.1-p1
            None => Err(RpcError::missing_attribute(ErrorType::Rpc, attribute, element)),
            Some(id) if id.chars().nth(MAX_MESSAGE_ID).is_some() => {
                Err(RpcError::bad_attribute(ErrorType::Rpc, attribute, element)
                    .with_message(format!("the message-id has more than {MAX_MESSAGE_ID} characters")))
            }
            Some(_) => Ok(Place::Rpc),
        }
    }

    fn start_operation(
        &mut self,
        start: Start<'_>,
        handler: &mut impl RpcHandler,
    ) -> Result<Place, RpcError> {
        if self.operation.is_some() {
            return Err(RpcError::unknown_element(ErrorType::Protocol, start.name.into())
                .with_message("the request contains more than one operation"));
        }
        let is_named = |operation: &OperationName| {
            (operation.namespace(), operation.as_str()) == (start.name.namespace, start.name.local)
        };
        let Some(operation) = OperationName::ALL.into_iter().find(is_named) else {
            let message = format!("the operation {} is not supported", start.name.local);
            let error = RpcError::new(ErrorType::Protocol, ErrorTag::OperationNotSupported);
            return Err(error.with_message(message));
        };
        self.operation = Some(operation);
        refuse_attributes(start)?;
        handler.begin_operation(operation)?;
        Ok(Place::Operation(operation))
    }

    fn start_parameter(
        &mut self,
        operation: OperationName,
        start: Start<'_>,
        handler: &mut impl RpcHandler,
    ) -> Result<Place, RpcError> {
        let parameter = Parameter::of(operation, start.name)
            .ok_or_else(|| unexpected(operation.namespace(), start.name))?;
        if !self.arguments.begin(parameter) {
            return Err(RpcError::bad_element(ErrorType::Protocol, start.name.into())
                .with_message("the parameter occurs twice"));
        }
        match parameter {
            Parameter::Filter => {
                check_filter(start)?;
                return Ok(Place::Filter(operation, 0));
            }
            Parameter::Config => return self.start_config(operation, start, None, handler),
            _ => refuse_attributes(start)?,
        }
        Ok(match parameter {
            Parameter::Source | Parameter::Target => Place::Datastores(operation, parameter),
            _ => Place::Leaf(operation, parameter),
        })
    }

    fn start_datastore(
        &mut self,
        operation: OperationName,
        parameter: Parameter,
        start: Start<'_>,
        handler: &mut impl RpcHandler,
    ) -> Result<Place, RpcError> {
        let is_source = parameter == Parameter::Source;
        let has_value =
            if is_source { self.arguments.source.is_some() } else { self.arguments.target.is_some() };
        let is_config = is_source && start.name == (Name { namespace: NETCONF, local: "config" });
        let datastore = parameter::datastore(operation, start.name);
        let is_config = is_config && parameter::has_config_as_source(operation);
        if datastore.is_none() && !is_config {
            let error = unexpected(operation.namespace(), start.name);
            return Err(match operation {
                OperationName::DeleteConfig => error.with_message("this datastore cannot be deleted"),
                _ => error,
            });
        }
        if has_value {
            // More than one case of a choice (RFC 7950 §8.3.1).
            return Err(RpcError::bad_element(ErrorType::Protocol, start.name.into())
                .with_message(format!("{} names more than one datastore", parameter.as_str())));
        }
        let Some(datastore) = datastore else {
            return self.start_config(operation, start, Some(parameter), handler);
        };
        refuse_attributes(start)?;
        match is_source {
            true => self.arguments.source = Some(Source::Datastore(datastore)),
            false => self.arguments.target = Some(datastore),
        }
        Ok(Place::Datastore(operation, parameter))
    }

    fn start_config(
        &mut self,
        operation: OperationName,
        start: Start<'_>,
        within: Option<Parameter>,
        handler: &mut impl RpcHandler,
    ) -> Result<Place, RpcError> {
        handler.begin_config(self.arguments.config_use(operation)?, start)?;
        match within {
            Some(_) => self.arguments.source = Some(Source::Config),
            None => self.arguments.has_config = true,
        }
        Ok(Place::Config(operation, 0, within))
    }

    fn text(&mut self, text: &str, handler: &mut impl RpcHandler) -> Result<(), RpcError> {
        let is_blank = text.chars().all(is_space);
        let element = match self.place {
            Place::Filter(_, depth) => {
                // Text directly within `filter` is not part of an element of the filter.
                return if depth == 0 && is_blank { Ok(()) } else { self.filter.text(text) };
            }
            Place::Config(..) => return handler.config_event(Event::Text(text)),
            Place::Leaf(_, parameter) => {
                // White space before and after the value does not count, however long it is.
                let text = if self.text.is_empty() { text.trim_start_matches(is_space) } else { text };
                let mut room = MAX_PARAMETER.saturating_sub(self.text.len()).min(text.len());
                while !text.is_char_boundary(room) {
                    room -= 1;
                }
                let (kept, rest) = text.split_at(room);
                self.text.push_str(kept);
                return match rest.chars().all(is_space) {
                    true => Ok(()),
                    false => Err(invalid_value(parameter.as_str())),
                };
            }
            Place::Datastore(_, parameter) if !is_blank => return Err(invalid_value(parameter.as_str())),
            Place::Rpc => QualifiedName::netconf("rpc"),
            Place::Operation(operation) => {
                QualifiedName { namespace: operation.namespace().into(), local: operation.as_str().into() }
            }
            Place::Datastores(_, parameter) => QualifiedName::netconf(parameter.as_str()),
            Place::Document | Place::Datastore(..) => return Ok(()),
        };
        match is_blank {
            true => Ok(()),
            false => Err(RpcError::bad_element(ErrorType::Protocol, element)
                .with_message("the element contains text beside elements")),
        }
    }

    /// Ends the innermost element, and returns the one that contains it.
    fn end(
        &mut self,
        event: Event<'_>,
        scope: Scope<'_>,
        handler: &mut impl RpcHandler,
    ) -> Result<Place, RpcError> {
        Ok(match self.place {
            Place::Document | Place::Rpc => Place::Document,
            Place::Operation(_) => Place::Rpc,
            Place::Leaf(operation, parameter) => {
                let text = std::mem::take(&mut self.text);
                self.arguments.set(parameter, text.trim_matches(is_space), scope)?;
                Place::Operation(operation)
            }
            Place::Datastores(operation, _) => Place::Operation(operation),
            Place::Datastore(operation, parameter) => Place::Datastores(operation, parameter),
            Place::Filter(operation, 0) => {
                self.arguments.filter = Some(std::mem::take(&mut self.filter).finish());
                Place::Operation(operation)
            }
            Place::Filter(operation, depth) => {
                self.filter.end(scope)?;
                Place::Filter(operation, depth - 1)
            }
            Place::Config(operation, 0, within) => match within {
                Some(parameter) => Place::Datastores(operation, parameter),
                None => Place::Operation(operation),
            },
            Place::Config(operation, depth, within) => {
                handler.config_event(event)?;
                Place::Config(operation, depth - 1, within)
            }
        })
    }
}

/// Returns true for the white space of XML (XML 1.0 §2.3).
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}
