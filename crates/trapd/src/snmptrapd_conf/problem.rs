//! Problems in `snmptrapd.conf`.

use std::fmt;

use portreeve_net_snmp_conf::ConfLocation;
use portreeve_smi::controls_display;

/// A problem in a configuration file. It contains no secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfProblem {
    /// The location of the directive.
    pub location: ConfLocation,
    /// The severity.
    pub severity: ProblemSeverity,
    /// The problem and its cure. Characters that control the display have been replaced.
    pub message: String,
}

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemSeverity {
    /// The directive is invalid and has been omitted.
    Error,
    /// The directive is in effect, or it is unknown.
    Warning,
}

impl ConfProblem {
    pub(crate) fn new(location: ConfLocation, severity: ProblemSeverity, message: String) -> Self {
        Self { location, severity, message: message.replace(controls_display, ".") }
    }
}

/// Formats as `FILE:LINE: MESSAGE`; a warning has the word `warning:` before the message.
impl fmt::Display for ConfProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.location.path.display().to_string().replace(controls_display, ".");
        f.write_str(&path)?;
        if self.location.line > 0 {
            write!(f, ":{}", self.location.line)?;
        }
        let prefix = match self.severity {
            ProblemSeverity::Error => "",
            ProblemSeverity::Warning => "warning: ",
        };
        write!(f, ": {prefix}{}", self.message)
    }
}
