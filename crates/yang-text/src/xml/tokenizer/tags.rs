//! Tags, the XML declaration, and the starts of comments and CDATA sections.

use super::super::markup::{Kind, Markup};
use super::super::names::{MAX_NAME, is_ascii_name};
use super::super::{XmlError, XmlErrorReason, declaration, start_tag};
use super::{FollowUp, Mode, Partial, Step, Tokenizer};

impl Tokenizer {
    /// Reads a tag that has neither a prefix nor attributes nor white space and is complete in
    /// `octets`, without storing it.
    pub(super) fn simple_tag<'i>(&mut self, octets: &mut &'i [u8]) -> Result<Option<Step<'i>>, XmlError> {
        let (is_end, inner) = match octets {
            [b'<', b'/', inner @ ..] => (true, inner),
            [b'<', inner @ ..] => (false, inner),
            _ => return Ok(None),
        };
        let length = inner.iter().take(MAX_NAME + 1).position(|octet| !is_ascii_name(*octet));
        let Some((name, [b'>', rest @ ..])) = length.and_then(|length| inner.split_at_checked(length)) else {
            return Ok(None);
        };
        let is_name = matches!(name, [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..]);
        let step = match is_end {
            true if self.elements.is_innermost(name) => self.end(),
            false if is_name => {
                self.begin_element()?;
                let name = std::str::from_utf8(name).unwrap_or_default();
                self.elements.open_without_prefix(name).map_err(|reason| self.fail(reason))?;
                self.attributes.clear();
                Step::Start
            }
            _ => return Ok(None),
        };
        self.position.advance_in_line(octets.len() - rest.len());
        *octets = rest;
        Ok(Some(step))
    }

    /// Completes a tag or other markup.
    pub(super) fn markup<'i>(
        &mut self,
        mut markup: Markup,
        octets: &mut &[u8],
    ) -> Result<Step<'i>, XmlError> {
        while let Some((octet, rest)) = octets.split_first() {
            *octets = rest;
            self.pending.push(*octet);
            match markup.push(&self.pending) {
                Ok(None) => {}
                Ok(Some(kind)) => {
                    self.partial = None;
                    let pending = std::mem::take(&mut self.pending);
                    let step = self.complete_markup(kind, &pending);
                    self.pending = pending;
                    return step;
                }
                Err(reason) => return Err(self.fail_in_pending(self.pending.len().saturating_sub(1), reason)),
            }
        }
        self.partial = Some(Partial::Markup(markup));
        Ok(Step::Nothing)
    }

    fn complete_markup<'i>(&mut self, kind: Kind, markup: &[u8]) -> Result<Step<'i>, XmlError> {
        let text = std::str::from_utf8(markup)
            .map_err(|error| self.fail_in(markup, error.valid_up_to(), XmlErrorReason::InvalidUtf8))?;
        let step = match kind {
            Kind::StartTag => {
                self.begin_element()?;
                let is_empty = start_tag::open(text, &mut self.elements, &mut self.attributes)
                    .map_err(|error| self.fail_in(markup, error.offset, error.reason))?;
                self.follow_up = if is_empty { FollowUp::End } else { FollowUp::Nothing };
                Step::Start
            }
            Kind::EndTag => {
                let name =
                    text.get(2..text.len() - 1).unwrap_or_default().trim_end_matches(start_tag::is_space);
                if !self.elements.is_innermost(name.as_bytes()) {
                    return Err(self.fail(XmlErrorReason::MismatchedEnd));
                }
                self.end()
            }
            Kind::Declaration => {
                if !std::mem::take(&mut self.is_at_start) {
                    return Err(self.fail(XmlErrorReason::InvalidDeclaration));
                }
                declaration::check(text).map_err(|reason| self.fail(reason))?;
                Step::Nothing
            }
            Kind::Comment => {
                self.is_at_start = false;
                self.mode = Mode::Comment(0);
                Step::Nothing
            }
            Kind::Section if self.elements.depth() == 0 => {
                return Err(self.fail(XmlErrorReason::TextOutsideRoot));
            }
            Kind::Section => {
                self.mode = Mode::Section(0);
                Step::Nothing
            }
        };
        self.position.advance(markup);
        Ok(step)
    }

    fn begin_element(&mut self) -> Result<(), XmlError> {
        self.is_at_start = false;
        if self.has_root && self.elements.depth() == 0 {
            return Err(self.fail(XmlErrorReason::SecondRoot));
        }
        self.has_root = true;
        Ok(())
    }

    /// Reports the end of the innermost element, which stays open until the next step.
    pub(super) fn end<'i>(&mut self) -> Step<'i> {
        self.follow_up = FollowUp::Close;
        Step::End
    }
}
