//! How many processes wanted to run, from `/proc/loadavg`.

/// One average, in the forms it is shown in.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadAverage {
    /// 1 to 3.
    pub index: [u32; 1],
    /// `Load-1`, `Load-5`, `Load-15`.
    pub name: &'static str,
    /// Decimal digits.
    pub text: String,
    /// Times 100.
    pub hundredths: i32,
    /// As single precision within an opaque value (UCD-SNMP-MIB's Float).
    pub float: [u8; 7],
}

impl LoadAverage {
    /// The three averages; fewer where the text has fewer.
    pub(super) fn parse(text: &str) -> Vec<Self> {
        let words = NAMES.iter().zip(1..).zip(text.split_whitespace());
        words
            .filter_map(|((name, number), word)| {
                let average: f32 = word.parse().ok()?;
                let [a, b, c, d] = average.to_be_bytes();
                Some(Self {
                    index: [number],
                    name,
                    text: format!("{average:.2}"),
                    #[allow(clippy::cast_possible_truncation, reason = "saturates")]
                    hundredths: (average * 100.0).round() as i32,
                    float: [0x9f, 0x78, 4, a, b, c, d],
                })
            })
            .collect()
    }
}

const NAMES: [&str; 3] = ["Load-1", "Load-5", "Load-15"];
