//! Complete messages between two engines with common users. The tests set the clocks.

mod attacks;
mod exchanges;
mod incoming;
mod outgoing;
mod test_engine;
