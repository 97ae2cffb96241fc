//! The agents of an experiment by their names in variants, and the work that is measured at each.

use portreeve_lab_report::sample::Variant;
use portreeve_lab_tls::Protection;

use super::{Setting, Site, SiteOptions};
use crate::client::ProtocolStack;
use crate::harness::{Context, Peer, Skipped};

/// Our agent, the others that are to be measured, and the variants at each.
pub(crate) struct Sites<Work> {
    agents: Vec<(&'static str, Site)>,
    works: Vec<(Variant, Work)>,
    unavailable: Vec<(Variant, Skipped)>,
}

impl<Work> Sites<Work> {
    /// Starts the agents. If Net-SNMP's agent does not start, its variants are unavailable.
    pub(crate) fn start(context: &Context, options: SiteOptions) -> Result<Self, Skipped> {
        let agents = vec![(OURS, Site::ours(context, options)?)];
        let mut sites = Self { agents, works: Vec::new(), unavailable: Vec::new() };
        if context.wants(Peer::NetSnmp) {
            sites.start_other(Peer::NetSnmp.name(), Site::net_snmp(context, options));
        }
        Ok(sites)
    }

    /// Starts our agent twice more: with TLS that does not protect messages, and with TLS that only
    /// protects their integrity. On the user's device, these are unavailable.
    pub(crate) fn start_less_protected(&mut self, context: &Context, options: SiteOptions) {
        for (name, protection) in LESS_PROTECTED {
            self.start_other(name, Site::less_protected(context, options, protection));
        }
    }

    /// Starts our agent once more, with a part of a core. It needs network namespaces, and is not
    /// the user's device.
    pub(crate) fn start_slow(&mut self, context: &Context, options: SiteOptions) {
        let site = match context.has_namespaces() && context.device().is_none() {
            true => {
                let options = SiteOptions { setting: Setting::Slow, ..options };
                Site::ours(context, options).map_err(Skipped::from)
            }
            false => Err("a slow agent needs network namespaces".into()),
        };
        self.start_other(SLOW, site);
    }

    fn start_other(&mut self, name: &'static str, site: Result<Site, impl Into<Skipped>>) {
        match site {
            Ok(site) => self.agents.push((name, site)),
            Err(error) => self.skip(Variant::of([("agent", name)]), error.into()),
        }
    }

    /// Returns the site of an agent, or `None` if the agent does not run.
    pub(crate) fn get(&self, agent: &str) -> Option<&Site> {
        self.agents.iter().find(|(name, _)| *name == agent).map(|(_, site)| site)
    }

    /// Adds the variants of the stacks that an agent supports; `variants` gets the variant of the
    /// agent and the stack. Other stacks are unavailable. Nothing is added if the agent does not
    /// run.
    pub(crate) fn add(
        &mut self,
        agent: &str,
        stacks: &[ProtocolStack],
        variants: impl Fn(&Site, Variant, ProtocolStack) -> Vec<(Variant, Result<Work, Skipped>)>,
    ) {
        for stack in stacks {
            let Some(site) = self.get(agent) else { return };
            let variant = Variant::of([("agent", agent)]).and("stack", stack.id());
            match site.check(*stack) {
                Ok(()) => {
                    let added = variants(site, variant, *stack);
                    added.into_iter().for_each(|(variant, work)| self.push(variant, work));
                }
                Err(reason) => self.skip(variant, reason),
            }
        }
    }

    /// Adds a variant with its work, or the reason why it cannot be measured.
    pub(crate) fn push(&mut self, variant: Variant, work: Result<Work, Skipped>) {
        match work {
            Ok(work) => self.works.push((variant, work)),
            Err(reason) => self.skip(variant, reason),
        }
    }

    fn skip(&mut self, variant: Variant, reason: Skipped) {
        self.unavailable.push((variant, reason));
    }

    /// Returns the variants, in the order in which they were added.
    pub(crate) fn variants(&self) -> Vec<Variant> {
        self.works.iter().map(|(variant, _)| variant.clone()).collect()
    }

    /// Returns the variants that cannot be measured, with the reasons.
    pub(crate) fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.unavailable.clone()
    }

    /// Returns the site and the work of a variant.
    pub(crate) fn find(&mut self, variant: &Variant) -> Result<(&mut Site, &Work), Skipped> {
        let (_, work) = self.works.iter().find(|(known, _)| known == variant).ok_or("unknown variant")?;
        let agent = variant.get("agent").unwrap_or_default();
        let site = self.agents.iter_mut().find(|(name, _)| *name == agent);
        let (_, site) = site.ok_or_else(|| format!("{agent} does not run"))?;
        Ok((site, work))
    }
}

/// The name of our agent, or of the user's device, in variants.
pub(crate) const OURS: &str = "portreeved";
/// The name of our agent with a part of a core.
pub(crate) const SLOW: &str = "portreeved-slow";
/// The names of our agent with less protection of TLS.
pub(crate) const LESS_PROTECTED: [(&str, Protection); 2] =
    [("portreeved-tls-none", Protection::None), ("portreeved-tls-integrity", Protection::Integrity)];
