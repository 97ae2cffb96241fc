//! Log lines about notifications that were not written, for each source.

use std::cmp::Reverse;

use portreeve_snmp_apps::SourceCounts;

/// Logs the number of notifications of each source. Only the sources with most of them have lines
/// of their own, because the addresses of datagrams can be forged. Returns whether there are any.
pub(crate) fn log_sources(event: &'static str, counts: &SourceCounts) -> bool {
    let mut sources: Vec<_> = counts.iter().collect();
    sources.sort_unstable_by_key(|(address, count)| (Reverse(*count), *address));
    let (shown, hidden) = sources.split_at(sources.len().min(MAX_LINES));
    for (source, count) in shown {
        tracing::warn!(%source, count, "{event}");
    }
    let count = hidden.iter().map(|(_, count)| count).sum::<u64>() + counts.others();
    if count > 0 {
        tracing::warn!(source = "others", count, "{event}");
    }
    !shown.is_empty() || count > 0
}

/// The maximum number of sources with lines of their own.
const MAX_LINES: usize = 20;
