//! The load averages, parsed from `/proc/loadavg`.

/// One load average, in each format in which it is exposed.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadAverage {
    /// The index of the row, from 1 to 3.
    pub index: [u32; 1],
    /// The name of the average: `Load-1`, `Load-5` or `Load-15`.
    pub name: &'static str,
    /// The average as a decimal number.
    pub text: String,
    /// The average multiplied by 100.
    pub hundredths: i32,
    /// The average in single precision, as an opaque value (Float in UCD-SNMP-MIB).
    pub float: [u8; 7],
}

impl LoadAverage {
    /// Parses the three averages. Returns fewer if the text contains fewer.
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
