//! The explanation of the forms of values in a report, which all formats share.

/// The heading.
pub(crate) const HEADING: &str = "Reading the figures";

/// The paragraphs.
pub(crate) const PARAGRAPHS: [&str; 3] = [
    "A measured value is the median of n rounds. With it are its interval, the smallest value (min) and n, in the same \
     unit. The interval of a median consists of order statistics and assumes nothing about the distribution of the \
     times. If the rounds are too few for it, fewer than 6 for 95 %, it is the interval of Student’s t for the logarithms \
     of the values, and is marked with t: times of few rounds have wide intervals, which never reach below zero. The \
     interval of a mean is that of Student’s t on a logarithmic scale, too. Only differences, which can be negative, have \
     intervals on a linear scale. Ratios of measured values, in tables, figures and statements, are medians of the ratios \
     of the same round.",
    "A value that is marked as computed follows from several measured values, for example the slope of a line that is \
     fitted to all sessions, or a break-even. Its interval is that of the computation.",
    "A value of a paper is shown as it was printed, and marked: in tables on a hatched ground or in italics, in figures \
     with dashed lines and hollow markers. It is marked as computed too if the paper has only the values from which it \
     follows. Values of other programs have dotted lines and hollow markers. In figures, markers are medians, bars with \
     ends are intervals, and short ticks are smallest values. The CSV files have the same data.",
];
