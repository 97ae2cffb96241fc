//! The properties of the link between manager and agent: loss, rate and delay.
//!
//! netem produces loss and delay if the kernel has it. Otherwise, a rule of nftables drops frames
//! at random, and a thread of this process passes on delayed frames. The observer sees each frame
//! before this, as its sender sent it.

mod counters;
mod queueing;
mod user_space;

use std::fmt;
use std::time::Duration;

use crate::error::{NetError, Result};
use crate::topology::Observer;

pub use counters::LostFrames;

/// The properties of the link. The default is a link without loss, limit or added delay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Link {
    /// The probability that a frame is lost.
    pub loss: Loss,
    /// The maximum rate in bits per second, in each direction.
    pub rate: Option<u64>,
    /// The delay in each direction: a round trip takes twice as long. With `Some` zero, frames pass
    /// through the means that produces delays, so that a series of delays is comparable; with
    /// `None` they do not.
    pub delay: Option<Duration>,
}

/// The probabilities that a frame is lost, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// From the manager to the agent.
    pub to_agent: f64,
    /// From the agent to the manager.
    pub to_manager: f64,
}

impl Loss {
    /// Returns the same probability for both directions.
    #[must_use]
    pub fn both(probability: f64) -> Self {
        Self { to_agent: probability, to_manager: probability }
    }

    fn is_none(self) -> bool {
        self == Self::default()
    }
}

/// The means by which the properties of a link are produced, for the report. `None` if the property
/// is not set.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct LinkMethods {
    /// The means of loss.
    pub loss: Option<Method>,
    /// The means of the limit on the rate.
    pub rate: Option<Method>,
    /// The means of delay.
    pub delay: Option<Method>,
}

/// A means by which a property of a link is produced.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Method {
    /// The kernel's network emulator.
    Netem,
    /// A rule of nftables with random numbers.
    Nftables,
    /// A token bucket filter.
    TokenBucket,
    /// A thread of the lab that passes on frames between two TAP interfaces.
    UserSpace,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Netem => "netem",
            Self::Nftables => "nftables (numgen random)",
            Self::TokenBucket => "token bucket filter",
            Self::UserSpace => "user-space link (TAP)",
        })
    }
}

/// The link as it is set.
#[derive(Default)]
pub(crate) struct ActiveLink {
    methods: LinkMethods,
    user_space: Option<user_space::UserSpaceLink>,
}

impl ActiveLink {
    /// Replaces the properties.
    pub(crate) fn replace(&mut self, observer: &Observer, link: &Link) -> Result<LinkMethods> {
        check(link)?;
        self.remove(observer)?;
        let result = self.set(observer, link);
        if result.is_err() {
            // Properties that have been set already would be misleading.
            self.remove(observer)?;
        }
        result
    }

    /// Returns the frames that the link has lost since it was set.
    pub(crate) fn lost_frames(&self, observer: &Observer) -> Result<LostFrames> {
        let mut lost = match self.methods.loss {
            Some(Method::Nftables) => counters::of_nftables(&observer.place)?,
            _ => LostFrames::default(),
        };
        if self.methods.rate.is_some() || self.methods.loss == Some(Method::Netem) {
            lost += counters::of_queues(&observer.place)?;
        }
        if let Some(user_space) = &self.user_space {
            lost += user_space.lost_frames(&observer.place)?;
        }
        Ok(lost)
    }

    fn set(&mut self, observer: &Observer, link: &Link) -> Result<LinkMethods> {
        let needs_netem = !link.loss.is_none() || link.delay.is_some();
        let netem = needs_netem && queueing::has_netem(&observer.place)?;
        if netem || link.rate.is_some() {
            queueing::set(&observer.place, link, netem)?;
            self.methods.rate = link.rate.map(|_| Method::TokenBucket);
        }
        if !link.loss.is_none() {
            if !netem {
                queueing::set_nftables(&observer.place, link.loss)?;
            }
            self.methods.loss = Some(if netem { Method::Netem } else { Method::Nftables });
        }
        if let Some(delay) = link.delay {
            if !netem {
                self.user_space = Some(user_space::UserSpaceLink::start(&observer.place, delay)?);
            }
            self.methods.delay = Some(if netem { Method::Netem } else { Method::UserSpace });
        }
        Ok(self.methods)
    }

    fn remove(&mut self, observer: &Observer) -> Result<()> {
        let methods = std::mem::take(&mut self.methods);
        if let Some(user_space) = self.user_space.take() {
            user_space.stop(&observer.place)?;
        }
        queueing::remove(&observer.place, methods)
    }
}

fn check(link: &Link) -> Result<()> {
    let is_probability = |value: f64| (0.0..=1.0).contains(&value);
    if !is_probability(link.loss.to_agent) || !is_probability(link.loss.to_manager) {
        return Err(NetError::Failed(format!("{:?}: expected probabilities from 0 to 1", link.loss)));
    }
    if link.rate.is_some_and(|rate| rate < MIN_RATE) {
        return Err(NetError::Failed(format!("a rate below {MIN_RATE} bit/s cannot be set")));
    }
    if link.delay.is_some_and(|delay| delay > MAX_DELAY) {
        return Err(NetError::Failed(format!("a delay above {} s cannot be set", MAX_DELAY.as_secs())));
    }
    Ok(())
}

/// The maximum number of frames that are delayed at the same time, in each direction.
const MAX_DELAYED_FRAMES: usize = 20_000;

/// The minimum rate in bits per second.
const MIN_RATE: u64 = 8_000;

/// The maximum delay in each direction.
const MAX_DELAY: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests;
