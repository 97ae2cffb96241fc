//! The counters of the engine and its applications. A macro declares each counter once.
//!
//! Each worker increments its own shard, so that workers do not contend for cache lines. Readers
//! add up the shards.

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
    /// Creates counters for this many workers, all zero.
    pub fn new(workers: usize) -> Arc<Self> {
        Arc::new(Self { shards: (0..workers.max(1)).map(|_| Shard::default()).collect() })
    }

    /// Returns a recorder for one worker. Worker numbers out of range share the existing shards.
    pub fn recorder(self: &Arc<Self>, worker: usize) -> Recorder {
        Recorder { shard: worker % self.shards.len(), statistics: Arc::clone(self) }
    }

    /// Returns the sum over all workers as a Counter32: modulo 2³².
    pub fn counter32(&self, counter: Counter) -> u32 {
        self.sum(counter) as u32
    }

    /// Returns the sum over all workers.
    pub fn sum(&self, counter: Counter) -> u64 {
        let one =
            |shard: &Shard| shard.0.get(counter as usize).map_or(0, |cell| cell.load(Ordering::Relaxed));
        self.shards.iter().map(one).fold(0, u64::wrapping_add)
    }
}

/// Increments counters in the shard of one worker.
#[derive(Clone, Debug)]
pub struct Recorder {
    statistics: Arc<Statistics>,
    shard: usize,
}

impl Recorder {
    /// Increments a counter by one.
    #[inline]
    pub fn count(&self, counter: Counter) {
        self.add(counter, 1);
    }

    /// Increments a counter by `amount`.
    #[inline]
    pub fn add(&self, counter: Counter, amount: u64) {
        let shard = self.statistics.shards.get(self.shard);
        if let Some(cell) = shard.and_then(|shard| shard.0.get(counter as usize)) {
            cell.fetch_add(amount, Ordering::Relaxed);
        }
    }

    /// Returns the counters of the whole engine.
    pub fn statistics(&self) -> &Arc<Statistics> {
        &self.statistics
    }
}

macro_rules! counters {
    ($($name:ident),+ $(,)?) => {
        /// A counter. Each counter corresponds to the managed object with the same descriptor.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the names are the MIB modules' descriptors")]
        pub enum Counter {
            $($name),+
        }

        impl Counter {
            /// All counters.
            pub const ALL: [Self; [$(Self::$name),+].len()] = [$(Self::$name),+];
        }
    };
}

counters! {
    // Counters of SNMPv2-MIB.
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
    // Counters of SNMP-MPD-MIB.
    SnmpUnknownSecurityModels,
    SnmpInvalidMsgs,
    SnmpUnknownPduHandlers,
    // Counters of SNMP-USER-BASED-SM-MIB.
    UsmStatsUnsupportedSecLevels,
    UsmStatsNotInTimeWindows,
    UsmStatsUnknownUserNames,
    UsmStatsUnknownEngineIds,
    UsmStatsWrongDigests,
    UsmStatsDecryptionErrors,
    // Counters of SNMP-TARGET-MIB.
    SnmpUnavailableContexts,
    SnmpUnknownContexts,
    // Counters of SNMP-TSM-MIB.
    SnmpTsmInvalidCaches,
    SnmpTsmInadequateSecurityLevels,
    SnmpTsmUnknownPrefixes,
    SnmpTsmInvalidPrefixes,
    // Counters of SNMP-SSH-TM-MIB.
    SnmpSshtmSessionOpens,
    SnmpSshtmSessionCloses,
    SnmpSshtmSessionOpenErrors,
    SnmpSshtmSessionUserAuthFailures,
    SnmpSshtmSessionNoChannels,
    SnmpSshtmSessionNoSubsystems,
    SnmpSshtmSessionNoSessions,
    SnmpSshtmSessionInvalidCaches,
    // Counters of SNMP-TLS-TM-MIB.
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

/// The counters of one worker, aligned to two cache lines, because processors prefetch pairs of
/// cache lines.
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
