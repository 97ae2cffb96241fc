//! The progress of work that is done in parts.

/// The result of one part of a longer work, such as writing a reply.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Progress {
    /// The output is full. The caller takes it and continues.
    More,
    /// The part has used its time. The caller lets others run, then continues.
    Pause,
    /// The work is complete.
    Done,
}
