//! Parses a format.

use std::{iter::Peekable, str::Chars};

use super::{
    Field, FormatErrorReason, Layout, LineFormat, LineFormatError, MAX_FORMAT_LEN, MAX_WIDTH, Piece, TimePart,
};

impl LineFormat {
    /// Parses a format.
    ///
    /// # Errors
    /// [`LineFormatError`] with the position of the fault.
    pub fn parse(text: &str) -> Result<Self, LineFormatError> {
        let mut parser =
            Parser { rest: text.chars().peekable(), position: 0, pieces: Vec::new(), separator: None };
        match parser.parse_all() {
            Ok(()) => Ok(Self { pieces: parser.pieces }),
            Err(reason) => Err(LineFormatError { position: parser.position, reason }),
        }
    }
}

struct Parser<'t> {
    rest: Peekable<Chars<'t>>,
    /// The number of characters that were taken.
    position: usize,
    pieces: Vec<Piece>,
    /// The separator of the last `%V`.
    separator: Option<String>,
}

impl Parser<'_> {
    fn parse_all(&mut self) -> Result<(), FormatErrorReason> {
        while let Some(next) = self.next()? {
            match next {
                '\\' => {
                    let escaped = self.escaped()?;
                    self.push_char(escaped);
                }
                '%' => self.field()?,
                other => self.push_char(other),
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<char>, FormatErrorReason> {
        let next = self.rest.next();
        if next.is_some() {
            self.position += 1;
        }
        if self.position > MAX_FORMAT_LEN { Err(FormatErrorReason::TooLong) } else { Ok(next) }
    }

    fn required(&mut self) -> Result<char, FormatErrorReason> {
        self.next()?.ok_or(FormatErrorReason::Incomplete)
    }

    fn push_char(&mut self, added: char) {
        match self.pieces.last_mut() {
            Some(Piece::Text(text)) => text.push(added),
            _ => self.pieces.push(Piece::Text(added.into())),
        }
    }

    /// Parses the character after a backslash.
    fn escaped(&mut self) -> Result<char, FormatErrorReason> {
        Ok(match self.required()? {
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            plain @ ('\\' | '?' | '%' | '\'' | '"') => plain,
            other => return Err(FormatErrorReason::UnknownEscape(other)),
        })
    }

    /// Parses flags, width, precision and letter of a field.
    fn field(&mut self) -> Result<(), FormatErrorReason> {
        let mut layout = Layout::default();
        loop {
            match self.rest.peek() {
                Some('-') => layout.is_left = true,
                Some('0') => layout.has_zeros = true,
                Some('#') => layout.is_alternate = true,
                _ => break,
            }
            self.next()?;
        }
        layout.width = self.number()?.unwrap_or_default();
        if self.rest.peek() == Some(&'.') {
            self.next()?;
            layout.precision = Some(self.number()?.unwrap_or_default());
        }
        let field = match self.required()? {
            '%' => {
                self.push_char('%');
                return Ok(());
            }
            'V' => return self.set_separator(),
            'v' => Field::Variables { separator: self.separator.clone() },
            letter => field_of(letter).ok_or(FormatErrorReason::UnknownField(letter))?,
        };
        self.pieces.push(Piece::Field { field, layout });
        Ok(())
    }

    fn number(&mut self) -> Result<Option<usize>, FormatErrorReason> {
        let mut number = None;
        while let Some(digit) = self.rest.peek().and_then(|next| next.to_digit(10)) {
            self.next()?;
            let value = number.unwrap_or(0) * 10 + digit as usize;
            if value > MAX_WIDTH {
                return Err(FormatErrorReason::TooWide);
            }
            number = Some(value);
        }
        Ok(number)
    }

    /// Takes the separator of variables: all characters up to the next percent sign.
    fn set_separator(&mut self) -> Result<(), FormatErrorReason> {
        let mut separator = String::new();
        while let Some(next) = self.rest.peek().copied().filter(|next| *next != '%') {
            self.next()?;
            separator.push(if next == '\\' { self.escaped()? } else { next });
        }
        self.separator = Some(separator);
        Ok(())
    }
}

fn field_of(letter: char) -> Option<Field> {
    Some(match letter {
        'a' => Field::AgentAddress,
        'A' => Field::AgentHost,
        'b' => Field::Addresses,
        'B' => Field::Host,
        'E' => Field::ContextEngineId,
        'h' => Field::Received(TimePart::Hour),
        'j' => Field::Received(TimePart::Minute),
        'k' => Field::Received(TimePart::Second),
        'l' => Field::Received(TimePart::Day),
        'm' => Field::Received(TimePart::Month),
        'y' => Field::Received(TimePart::Year),
        'H' => Field::UpTimePart(TimePart::Hour),
        'J' => Field::UpTimePart(TimePart::Minute),
        'K' => Field::UpTimePart(TimePart::Second),
        'L' => Field::UpTimePart(TimePart::Day),
        'M' => Field::UpTimePart(TimePart::Month),
        'Y' => Field::UpTimePart(TimePart::Year),
        'N' => Field::Enterprise,
        'P' => Field::Security,
        'q' => Field::SpecificTrap,
        's' => Field::Version,
        'S' => Field::SecurityModel,
        't' => Field::UnixTime,
        'T' => Field::UpTime,
        'u' => Field::SecurityName,
        'w' => Field::GenericTrap,
        'W' => Field::Description,
        _ => return None,
    })
}
