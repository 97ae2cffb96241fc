//! Every counter the engine and its applications keep, declared once.
//!
//! Each worker counts in a shard of its own, so that nobody waits for a cache line; readers add the shards up.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// All counters of one engine.
#[derive(Debug)]
pub struct Statistics {
    shards: Box<[Shard]>,
}

impl Statistics {
    /// Counters for this many workers, all zero.
    pub fn new(workers: usize) -> Arc<Self> {
        Arc::new(Self { shards: (0..workers.max(1)).map(|_| Shard::default()).collect() })
    }

    /// One worker's hand on the counters; worker numbers beyond those announced share.
    pub fn recorder(self: &Arc<Self>, worker: usize) -> Recorder {
        Recorder { shard: worker % self.shards.len(), statistics: Arc::clone(self) }
    }

    /// The sum over all workers, as a Counter32 shows it: modulo 2³².
    pub fn counter32(&self, counter: Counter) -> u32 {
        self.sum(counter) as u32
    }

    /// The sum over all workers.
    pub fn sum(&self, counter: Counter) -> u64 {
        let one =
            |shard: &Shard| shard.0.get(counter as usize).map_or(0, |cell| cell.load(Ordering::Relaxed));
        self.shards.iter().map(one).fold(0, u64::wrapping_add)
    }
}

/// Counts into one worker's shard.
#[derive(Clone, Debug)]
pub struct Recorder {
    statistics: Arc<Statistics>,
    shard: usize,
}

impl Recorder {
    /// Raises a counter by one.
    #[inline]
    pub fn count(&self, counter: Counter) {
        self.add(counter, 1);
    }

    /// Raises a counter by `amount`.
    #[inline]
    pub fn add(&self, counter: Counter, amount: u64) {
        let shard = self.statistics.shards.get(self.shard);
        if let Some(cell) = shard.and_then(|shard| shard.0.get(counter as usize)) {
            cell.fetch_add(amount, Ordering::Relaxed);
        }
    }

    /// The counters of the whole engine.
    pub fn statistics(&self) -> &Arc<Statistics> {
        &self.statistics
    }
}

macro_rules! counters {
    ($($name:ident),+ $(,)?) => {
        /// What is counted. Each is the managed object of the same descriptor.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the names are the MIB modules' descriptors")]
        pub enum Counter {
            $($name),+
        }

        impl Counter {
            /// All of them.
            pub const ALL: [Self; [$(Self::$name),+].len()] = [$(Self::$name),+];
        }
    };
}

counters! {
    // SNMPv2-MIB
    SnmpInPkts,
    SnmpOutPkts,
    SnmpInBadVersions,
    SnmpInBadCommunityNames,
    SnmpInBadCommunityUses,
    SnmpInAsnParseErrs,
    SnmpInTooBigs,
    SnmpInNoSuchNames,
    SnmpInBadValues,
    SnmpInReadOnlys,
    SnmpInGenErrs,
    SnmpInTotalReqVars,
    SnmpInTotalSetVars,
    SnmpInGetRequests,
    SnmpInGetNexts,
    SnmpInSetRequests,
    SnmpInGetResponses,
    SnmpInTraps,
    SnmpOutTooBigs,
    SnmpOutNoSuchNames,
    SnmpOutBadValues,
    SnmpOutGenErrs,
    SnmpOutGetRequests,
    SnmpOutGetNexts,
    SnmpOutSetRequests,
    SnmpOutGetResponses,
    SnmpOutTraps,
    SnmpSilentDrops,
    SnmpProxyDrops,
    // SNMP-MPD-MIB
    SnmpUnknownSecurityModels,
    SnmpInvalidMsgs,
    SnmpUnknownPduHandlers,
    // SNMP-USER-BASED-SM-MIB
    UsmStatsUnsupportedSecLevels,
    UsmStatsNotInTimeWindows,
    UsmStatsUnknownUserNames,
    UsmStatsUnknownEngineIds,
    UsmStatsWrongDigests,
    UsmStatsDecryptionErrors,
    // SNMP-TARGET-MIB
    SnmpUnavailableContexts,
    SnmpUnknownContexts,
    // SNMP-TSM-MIB
    SnmpTsmInvalidCaches,
    SnmpTsmInadequateSecurityLevels,
    SnmpTsmUnknownPrefixes,
    SnmpTsmInvalidPrefixes,
    // SNMP-SSH-TM-MIB
    SnmpSshtmSessionOpens,
    SnmpSshtmSessionCloses,
    SnmpSshtmSessionOpenErrors,
    SnmpSshtmSessionUserAuthFailures,
    SnmpSshtmSessionNoChannels,
    SnmpSshtmSessionNoSubsystems,
    SnmpSshtmSessionNoSessions,
    SnmpSshtmSessionInvalidCaches,
    // SNMP-TLS-TM-MIB
    SnmpTlstmSessionOpens,
    SnmpTlstmSessionClientCloses,
    SnmpTlstmSessionOpenErrors,
    SnmpTlstmSessionAccepts,
    SnmpTlstmSessionServerCloses,
    SnmpTlstmSessionNoSessions,
    SnmpTlstmSessionInvalidClientCertificates,
    SnmpTlstmSessionUnknownServerCertificate,
    SnmpTlstmSessionInvalidServerCertificates,
    SnmpTlstmSessionInvalidCaches,
}

/// Aligned to two cache lines, the unit in which processors fetch.
#[derive(Debug)]
#[repr(align(128))]
struct Shard([AtomicU64; Counter::ALL.len()]);

impl Default for Shard {
    fn default() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

#[cfg(test)]
mod tests;
