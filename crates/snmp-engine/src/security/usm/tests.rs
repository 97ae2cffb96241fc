//! Tests with complete messages between two engines that share their users. The tests set the
//! clocks.

mod attacks;
mod exchanges;
mod incoming;
mod outgoing;
mod test_engine;
