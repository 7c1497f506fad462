//! Batches against definitions: each lane is what the gates say, each choice is uniform, each playout counts once.

mod choices;
mod lanes;
mod networks;
mod playouts;
mod rows;
mod short_games;
