//! Errors in lines of a recording.

use std::fmt;

/// A skipped line, and the expected syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The line number, counted from 1.
    pub line: usize,
    /// The syntax that the line should have.
    pub expected: SyntaxError,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}", self.line, self.expected)
    }
}

/// The error of a line or a part of it: the syntax that it should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxError {
    /// A variable, in the form `NAME = TYPE: VALUE`.
    Variable,
    /// Three fields, in the form `OID|TAG|VALUE`.
    Fields,
    /// The name of an instance.
    Name,
    /// A tag of an SNMP type.
    Tag,
    /// A number in the type's range.
    Number,
    /// Pairs of hexadecimal digits.
    Hexadecimal,
    /// An object identifier, or a name that stands for one.
    ObjectId,
    /// An IPv4 address.
    IpAddress,
    /// A time in TimeTicks.
    TimeTicks,
    /// Octets in the form of the object's DISPLAY-HINT.
    Octets,
    /// The closing quotation mark.
    Quote,
    /// A name that does not occur in an earlier line.
    UniqueName,
    /// A variation module that the simulator supports.
    Variation,
    /// Valid settings of the variation `numeric`.
    Numeric,
    /// Valid settings of the variation `delay`.
    Delay,
    /// Valid settings of the variation `error`.
    Error,
    /// A smaller recording, because the total size of names or values is too large.
    TooLarge,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Variable => "a variable as snmpwalk prints it, such as `.1.3.6.1.2.1.1.3.0 = Timeticks: (42) 0:00:00.42`",
            Self::Fields => "OID|TAG|VALUE, such as `1.3.6.1.2.1.1.5.0|4|gate`",
            Self::Name => {
                "the name of an instance below iso, as numbers separated by dots or as a known name (record with snmpwalk -On)"
            }
            Self::Tag => "a tag: 2, 4, 5, 6, 64, 65, 66, 67, 68 or 70, followed by `x` if the value is hexadecimal",
            Self::Number => "a number in the range of the type",
            Self::Hexadecimal => "pairs of hexadecimal digits",
            Self::ObjectId => "an object identifier (record with snmpwalk -On)",
            Self::IpAddress => "an address such as 192.0.2.1",
            Self::TimeTicks => "hundredths of a second, such as (42)",
            Self::Octets => "a string in the format of its definition (record with snmpwalk -Ox)",
            Self::Quote => "a closing quotation mark",
            Self::UniqueName => "a name that does not occur in an earlier line",
            Self::Variation => "a supported variation: numeric, delay or error",
            Self::Numeric => {
                "numeric with tag 2, 65, 66, 67 or 70 and any of min, max, initial, rate, scale, offset, deviation, cumulative, wrap, function=sin, function=cos"
            }
            Self::Delay => "delay with value or hexvalue and any of wait, deviation, in milliseconds",
            Self::Error => {
                "error with status=genErr and any of op=get, op=any, value, hexvalue (other errors do not occur in reads)"
            }
            Self::TooLarge => "a smaller recording: the limit is 4294967295 octets of names or values",
        })
    }
}
