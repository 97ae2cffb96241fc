//! Statistics of repeated measurements. Everything here is arithmetic on the caller's values.

mod break_even;
mod distribution;
mod interval;
mod line;
mod median;
mod ratio;
mod summary;

pub use break_even::{BreakEven, break_even, difference};
pub use distribution::{median_ranks, student_t};
pub use interval::{Estimate, Interval, Level};
pub use line::{Line, exponent};
pub use median::median;
pub use ratio::{mean_ratio, median_ratio};
pub use summary::{Basis, Summary};
