//! What is wrong with a line of a recording.

use std::fmt;

/// A line that was left out, and what would have been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineError {
    /// Counted from 1.
    pub line: usize,
    /// What the line should have had.
    pub expected: Expected,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}", self.line, self.expected)
    }
}

/// What a line should have had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `NAME = TYPE: VALUE`.
    Variable,
    /// `OID|TAG|VALUE`.
    Fields,
    /// The name of an instance.
    Name,
    /// A tag of SNMP's types.
    Tag,
    /// A number of the type's range.
    Number,
    /// Pairs of hexadecimal digits.
    Hexadecimal,
    /// An object identifier, or a name that stands for one.
    ObjectId,
    /// An IPv4 address.
    IpAddress,
    /// Timeticks.
    TimeTicks,
    /// Octets in the form of the object's DISPLAY-HINT.
    Octets,
    /// The closing quotation mark.
    Quote,
    /// A name that no line before has had.
    UniqueName,
    /// A variation that there is here.
    Variation,
    /// Settings of `numeric`.
    Numeric,
    /// Settings of `delay`.
    Delay,
    /// Settings of `error`.
    Error,
    /// Less: all names or all values together are too long.
    TooLarge,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Variable => "a variable as snmpwalk prints it, such as `.1.3.6.1.2.1.1.3.0 = Timeticks: (42) 0:00:00.42`",
            Self::Fields => "OID|TAG|VALUE, such as `1.3.6.1.2.1.1.5.0|4|gate`",
            Self::Name => {
                "the name of an instance below iso, as numbers joined by dots or as a definition we have (record with snmpwalk -On)"
            }
            Self::Tag => "a tag: 2, 4, 5, 6, 64, 65, 66, 67, 68 or 70, with an `x` behind it where the value is hexadecimal",
            Self::Number => "a number that the type can hold",
            Self::Hexadecimal => "pairs of hexadecimal digits",
            Self::ObjectId => "an object identifier (record with snmpwalk -On)",
            Self::IpAddress => "an address such as 192.0.2.1",
            Self::TimeTicks => "hundredths of a second, such as (42)",
            Self::Octets => "a string in the form that its definition gives it (record with snmpwalk -Ox)",
            Self::Quote => "a closing quotation mark",
            Self::UniqueName => "a name that has not been recorded before",
            Self::Variation => "one of the variations that are played here: numeric, delay, error",
            Self::Numeric => {
                "numeric with tag 2, 65, 66, 67 or 70 and any of min, max, initial, rate, scale, offset, deviation, cumulative, wrap, function=sin, function=cos"
            }
            Self::Delay => "delay with value or hexvalue and any of wait, deviation, in milliseconds",
            Self::Error => {
                "error with status=genErr and any of op=get, op=any, value, hexvalue (reading knows no other error)"
            }
            Self::TooLarge => "a smaller recording: there is room for 4294967295 octets of names or values",
        })
    }
}
