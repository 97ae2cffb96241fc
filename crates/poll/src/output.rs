//! Output of results, as JSON Lines or as CSV with the same columns.
//!
//! | column | content |
//! |---|---|
//! | `time` | time of the response, in seconds since 1970 |
//! | `target`, `object` | the target and the object; a line without an object concerns the whole request |
//! | `type`, `value` | SMIv2 type and value; octets that are not text in UTF-8 are hexadecimal |
//! | `delta`, `seconds`, `wrapped` | increase of a counter since the last poll, elapsed time, and `true` if it wrapped |
//! | `rebooted` | `true` in the first response after a restart |
//! | `error` | the reason why there is no value |

mod text;

use std::{
    fmt::Write as _,
    io::{self, Write},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use portreeve_snmp_manager::Response;

use crate::poller::{Change, Delta, Peer, PollResult, ResultSubject};
use text::{Field, push_csv, push_json};

/// The format in which results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputFormat {
    /// One JSON object per line, without columns that have no value.
    #[default]
    Json,
    /// CSV with a header line (RFC 4180).
    Csv,
    /// No output; results are served over HTTP only.
    Nothing,
}

/// Writes results to an output.
pub(crate) struct ResultWriter<W> {
    format: OutputFormat,
    to: W,
    line: String,
}

impl<W: Write> ResultWriter<W> {
    pub(crate) fn new(format: OutputFormat, mut to: W) -> io::Result<Self> {
        if format == OutputFormat::Csv {
            writeln!(to, "{}", COLUMNS.join(","))?;
        }
        Ok(Self { format, to, line: String::new() })
    }

    /// Writes the lines for the result of one request.
    pub(crate) fn write_result(&mut self, peer: &Peer, result: &PollResult) -> io::Result<()> {
        if self.format == OutputFormat::Nothing {
            return Ok(());
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let time = format!("{}.{:03}", since.as_secs(), since.subsec_millis());
        match &result.outcome {
            Ok((response, _)) if response.is_error() => {
                let at = response.error_index().and_then(|at| at.checked_sub(1 + peer.leading_count(result)));
                let object = at.and_then(|at| peer.names(result).get(at)).map(String::as_str);
                let error = match response.error_status() {
                    Some(status) => status.to_string(),
                    None => format!("error-status {}", response.error_status_number()),
                };
                self.write_error(&time, peer, object, &error)
            }
            Ok((response, change)) => self.write_values(&time, peer, result, response, change),
            Err(error) => {
                let subtree = match result.subject {
                    ResultSubject::Instances(_) => None,
                    ResultSubject::Subtree(_) => peer.names(result).first().map(String::as_str),
                };
                self.write_error(&time, peer, subtree, &error.to_string())
            }
        }
    }

    /// Writes all buffered lines to the output.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }

    fn write_values(
        &mut self,
        time: &str,
        peer: &Peer,
        result: &PollResult,
        response: &Response,
        change: &Change,
    ) -> io::Result<()> {
        let deltas = change.deltas.iter().copied().chain(std::iter::repeat(None));
        for ((object, value), delta) in peer.values(result, response).zip(deltas) {
            let mut row = Row { time, target: &peer.target().name, object: Some(&object), ..Row::default() };
            let (kind, field) = text::value(value);
            if value.is_exception() {
                row.error = Some(kind);
            } else {
                row.value = Some((kind, field));
            }
            row.delta = delta.zip(change.elapsed);
            row.rebooted = change.rebooted;
            self.write_row(&row)?;
        }
        Ok(())
    }

    fn write_error(&mut self, time: &str, peer: &Peer, object: Option<&str>, error: &str) -> io::Result<()> {
        self.write_row(&Row {
            time,
            target: &peer.target().name,
            object,
            error: Some(error),
            ..Row::default()
        })
    }

    fn write_row(&mut self, row: &Row<'_>) -> io::Result<()> {
        self.line.clear();
        let fields = row.fields();
        match self.format {
            OutputFormat::Json => push_json(&mut self.line, COLUMNS.iter().zip(&fields)),
            OutputFormat::Csv => push_csv(&mut self.line, &fields),
            OutputFormat::Nothing => {}
        }
        self.to.write_all(self.line.as_bytes())
    }
}

#[derive(Default)]
struct Row<'r> {
    time: &'r str,
    target: &'r str,
    object: Option<&'r str>,
    value: Option<(&'static str, Field<'r>)>,
    delta: Option<(Delta, Duration)>,
    rebooted: bool,
    error: Option<&'r str>,
}

impl<'r> Row<'r> {
    /// The fields in the order of [`COLUMNS`].
    fn fields(&self) -> [Field<'r>; 10] {
        let (kind, value) = match &self.value {
            Some((kind, value)) => (Field::Text((*kind).into()), value.clone()),
            None => (Field::Nothing, Field::Nothing),
        };
        let (delta, seconds, wrapped) = match self.delta {
            Some((delta, time)) => {
                let mut seconds = String::new();
                let _ = write!(seconds, "{}.{:02}", time.as_secs(), time.subsec_millis() / 10);
                (Field::Number(i128::from(delta.by)), Field::Raw(seconds.into()), flag(delta.wrapped))
            }
            None => (Field::Nothing, Field::Nothing, Field::Nothing),
        };
        let text = |text: Option<&'r str>| text.map_or(Field::Nothing, |text| Field::Text(text.into()));
        [
            Field::Raw(self.time.into()),
            text(Some(self.target)),
            text(self.object),
            kind,
            value,
            delta,
            seconds,
            wrapped,
            flag(self.rebooted),
            text(self.error),
        ]
    }
}

fn flag(is_so: bool) -> Field<'static> {
    if is_so { Field::Raw("true".into()) } else { Field::Nothing }
}

const COLUMNS: [&str; 10] =
    ["time", "target", "object", "type", "value", "delta", "seconds", "wrapped", "rebooted", "error"];
