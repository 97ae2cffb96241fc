//! Divides octets into events.
//!
//! ```text
//! first octet   token                              event
//! `<`           Partial::Markup: a tag             Start, End
//!               the start of a comment or section  none, but another mode
//! `&`           Partial::Reference                 Text
//! other         run of characters                  Text
//!               Partial::Character at its end      Text
//! ```
//! A run of characters is passed on from the caller's octets. Other tokens are stored in `pending`
//! until they are complete. So the events do not depend on how the octets are divided, except for
//! the pieces of texts.

mod characters;
mod tags;

use super::attributes::AttributeList;
use super::elements::Elements;
use super::markup::Markup;
use super::start_tag;
use super::{End, Event, Position, Start, XmlError, XmlErrorReason};

/// Divides the octets of one document into events.
///
/// ```
/// use portreeve_yang_text::xml::{Event, Tokenizer};
///
/// let mut tokenizer = Tokenizer::new();
/// let mut texts = String::new();
/// for piece in ["<rpc xmlns='urn:example'><te", "xt>a &l", "t; b</text></rpc>"] {
///     let mut octets = piece.as_bytes();
///     while let Some(event) = tokenizer.next_event(&mut octets)? {
///         match event {
///             Event::Start(start) => assert_eq!(start.name.namespace, "urn:example"),
///             Event::Text(piece) => texts.push_str(piece),
///             Event::End(_) => {}
///         }
///     }
/// }
/// tokenizer.finish()?;
/// assert_eq!(texts, "a < b");
/// # Ok::<(), portreeve_yang_text::xml::XmlError>(())
/// ```
#[derive(Debug)]
pub struct Tokenizer {
    /// Position of the first octet that is not part of an event yet.
    position: Position,
    mode: Mode,
    partial: Option<Partial>,
    /// The octets of the incomplete token.
    pending: Vec<u8>,
    elements: Elements,
    attributes: AttributeList,
    /// True after the start of the root element.
    has_root: bool,
    /// True while a declaration is possible: nothing but white space has been read.
    is_at_start: bool,
    /// An event that follows the last one without further octets.
    follow_up: FollowUp,
    /// Depth of the element that is skipped.
    skipped: Option<usize>,
    /// Number of `]`, at most two, before the position.
    brackets: u8,
    /// True after a carriage return, which includes a line feed that follows it.
    is_after_return: bool,
    /// Number of octets that are examined at once for a text.
    window: usize,
    /// The character of the last event, if it is not part of the caller's octets.
    character: [u8; 4],
    error: Option<XmlError>,
}

/// The surroundings of the position.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Mode {
    /// The start of the document, after this number of octets of a byte order mark.
    ByteOrderMark(u8),
    /// Outside comments and sections.
    Text,
    /// A comment, after this number of hyphens.
    Comment(u8),
    /// A CDATA section, after this number of brackets, at most two, that are not part of a text
    /// yet.
    Section(u8),
}

/// The kind of an incomplete token.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Partial {
    Markup(Markup),
    Reference,
    Character,
}

/// Work that precedes the next octet.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum FollowUp {
    Nothing,
    /// The element is empty: its end follows its start.
    End,
    /// The end of the element was reported, and it was kept open for this event.
    Close,
}

/// A step of the tokenizer.
enum Step<'i> {
    /// All octets have been read.
    NeedOctets,
    /// Something without an event was read.
    Nothing,
    Start,
    Text(&'i str),
    Character(char),
    End,
}

impl Tokenizer {
    /// Creates a tokenizer at the start of a document.
    #[must_use]
    pub fn new() -> Self {
        Self {
            position: Position::START,
            mode: Mode::ByteOrderMark(0),
            partial: None,
            pending: Vec::new(),
            elements: Elements::new(),
            attributes: AttributeList::default(),
            has_root: false,
            is_at_start: true,
            follow_up: FollowUp::Nothing,
            skipped: None,
            brackets: 0,
            is_after_return: false,
            window: usize::MAX,
            character: [0; 4],
            error: None,
        }
    }

    /// Begins a new document. Only little memory remains allocated.
    pub fn reset(&mut self) {
        let Self { pending, elements, attributes, .. } = std::mem::take(self);
        *self = Self { pending, elements, attributes, ..Self::new() };
        self.pending.clear();
        self.pending.shrink_to(MAX_IDLE_PENDING);
        self.elements.reset();
        self.attributes.reset();
    }

    /// Returns the next event, and removes the octets that belong to it from `octets`. Returns
    /// `None` when `octets` is empty and more are needed.
    ///
    /// # Errors
    /// If the document is not well-formed or exceeds a limit. All later calls return the same
    /// error.
    pub fn next_event<'a, 'i: 'a>(
        &'a mut self,
        octets: &mut &'i [u8],
    ) -> Result<Option<Event<'a>>, XmlError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let step = loop {
            let step = self.step(octets).inspect_err(|error| self.error = Some(*error))?;
            match step {
                Step::Nothing => {}
                Step::NeedOctets => return Ok(None),
                Step::End if self.skipped == Some(self.elements.depth()) => self.skipped = None,
                _ if self.skipped.is_some() => {}
                step => break step,
            }
        };
        Ok(Some(match step {
            Step::Start => Event::Start(Start {
                name: self.elements.innermost(),
                prefix: self.elements.innermost_prefix(),
                attributes: self.attributes.view(&self.elements),
                scope: self.elements.scope(),
            }),
            Step::Text(text) => Event::Text(text),
            Step::Character(c) => Event::Text(c.encode_utf8(&mut self.character)),
            Step::End | Step::Nothing | Step::NeedOctets => {
                Event::End(End { name: self.elements.innermost(), scope: self.elements.scope() })
            }
        }))
    }

    /// Skips the rest of the innermost open element, including its end: its octets are checked, but
    /// cause no events. After the event of a start tag, this is the element that it begins.
    pub fn skip_element(&mut self) {
        let is_closed = self.follow_up == FollowUp::Close;
        let depth = self.elements.depth().saturating_sub(usize::from(is_closed));
        self.skipped = (depth > 0).then_some(depth);
    }

    /// Returns the number of open elements. During the event of an end, its element is open.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.elements.depth()
    }

    /// Returns the position after the last event.
    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }

    /// Checks that the document is complete.
    ///
    /// # Errors
    /// The error of an earlier call, or `UnexpectedEnd`.
    pub fn finish(&self) -> Result<(), XmlError> {
        let depth = match self.follow_up {
            FollowUp::Close => self.elements.depth().saturating_sub(1),
            FollowUp::Nothing | FollowUp::End => self.elements.depth(),
        };
        let is_complete = self.has_root && depth == 0 && self.partial.is_none() && self.mode == Mode::Text;
        match self.error {
            Some(error) => Err(error),
            None if is_complete => Ok(()),
            None => Err(self.fail(XmlErrorReason::UnexpectedEnd)),
        }
    }

    fn step<'i>(&mut self, octets: &mut &'i [u8]) -> Result<Step<'i>, XmlError> {
        match std::mem::replace(&mut self.follow_up, FollowUp::Nothing) {
            FollowUp::Nothing => {}
            FollowUp::End => return Ok(self.end()),
            FollowUp::Close => self.elements.close(),
        }
        let Some(&first) = octets.first() else { return Ok(Step::NeedOctets) };
        match (self.partial, self.mode) {
            (Some(Partial::Markup(markup)), _) => self.markup(markup, octets),
            (Some(Partial::Reference), _) => self.reference(octets),
            (Some(Partial::Character), _) => self.character(octets),
            (None, Mode::ByteOrderMark(count)) => self.byte_order_mark(count, first, octets),
            (None, Mode::Comment(hyphens)) => self.comment(hyphens, first, octets),
            (None, Mode::Section(brackets)) => self.section(brackets, first, octets),
            (None, Mode::Text) => self.text(first, octets),
        }
    }

    fn text<'i>(&mut self, first: u8, octets: &mut &'i [u8]) -> Result<Step<'i>, XmlError> {
        if first == b'<' {
            self.is_after_return = false;
            self.brackets = 0;
            self.window = usize::MAX;
            if let Some(step) = self.simple_tag(octets)? {
                return Ok(step);
            }
            self.partial = Some(Partial::Markup(Markup::Less));
            self.pending.clear();
            self.pending.push(first);
            *octets = octets.split_at_checked(1).unwrap_or_default().1;
            return Ok(Step::Nothing);
        }
        if self.elements.depth() == 0 {
            if !start_tag::is_space(char::from(first)) {
                return Err(self.fail(XmlErrorReason::TextOutsideRoot));
            }
            self.take(octets, 1);
            return Ok(Step::Nothing);
        }
        if first == b'&' {
            self.is_after_return = false;
            self.brackets = 0;
            self.partial = Some(Partial::Reference);
            self.pending.clear();
            return Ok(Step::Nothing);
        }
        self.run(octets, |octets| memchr::memchr2(b'<', b'&', octets), Some(self.brackets))
    }

    fn byte_order_mark<'i>(
        &mut self,
        count: u8,
        first: u8,
        octets: &mut &[u8],
    ) -> Result<Step<'i>, XmlError> {
        match (count, first) {
            (0, 0xef) | (1, 0xbb) => self.mode = Mode::ByteOrderMark(count + 1),
            (2, 0xbf) => self.mode = Mode::Text,
            (0, _) => {
                self.mode = Mode::Text;
                return Ok(Step::Nothing);
            }
            _ => return Err(self.fail(XmlErrorReason::TextOutsideRoot)),
        }
        self.take(octets, 1);
        Ok(Step::Nothing)
    }

    /// Removes `count` octets and moves the position past them.
    fn take(&mut self, octets: &mut &[u8], count: usize) {
        let (taken, rest) = octets.split_at_checked(count).unwrap_or_default();
        self.position.advance(taken);
        *octets = rest;
    }

    fn fail(&self, reason: XmlErrorReason) -> XmlError {
        XmlError { position: self.position, reason }
    }

    fn fail_in_pending(&self, offset: usize, reason: XmlErrorReason) -> XmlError {
        self.fail_in(&self.pending, offset, reason)
    }

    /// Returns an error in a token that begins at the position.
    fn fail_in(&self, token: &[u8], offset: usize, reason: XmlErrorReason) -> XmlError {
        let before = token.split_at_checked(offset).unwrap_or_default().0;
        XmlError { position: self.position.after(before), reason }
    }
}

impl Default for Tokenizer {
    fn default() -> Self {
        Self::new()
    }
}

/// Memory for incomplete tokens that may remain allocated between documents, in bytes.
const MAX_IDLE_PENDING: usize = 1024;

#[cfg(test)]
mod tests;
