//! Whole messages between two parties that share users, on a clock counted by hand.

mod attacks;
mod exchanges;
mod incoming;
mod outgoing;
mod test_engine;
