//! Whole messages between two parties that share users, on a clock counted by hand.

mod attacks;
mod conversations;
mod incoming;
mod outgoing;
mod party;
