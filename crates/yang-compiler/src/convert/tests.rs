mod amendments;
mod constraints;
mod libyang;
mod modules;
mod nodes;
mod types;
