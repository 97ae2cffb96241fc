//! What the conversations are made of: agents with toy objects, requests and answers, a manager that speaks SNMPv3.

pub(crate) mod agent;
pub(crate) mod answer;
pub(crate) mod ask;
pub(crate) mod broken;
pub(crate) mod ledger;
pub(crate) mod manager;
pub(crate) mod names;
pub(crate) mod pair;
pub(crate) mod random;
pub(crate) mod shelf;
pub(crate) mod site;
pub(crate) mod slow;
