//! What holds for every table, asked of each in turn.

mod cases;
mod life_cycle;
mod rejections;
