//! Tests that run against every table.

mod cases;
mod life_cycle;
mod order;
mod rejections;
