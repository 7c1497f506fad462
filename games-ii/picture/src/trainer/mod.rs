//! The trainer's view: what a seat could believe, drawn; and its decisions afterwards.
//!
//! [`TrainerView::of`] sorts what may be true into what people look at: hands by class in a grid (`grid.rs`), pieces on the squares where
//! they may stand (`heat.rs`), cards and dice by where they may be (`spread.rs`), and everything else as bars. The entropy by turn is a
//! plot (`plot.rs`). Each says what it rests on. [`ReviewView`] is a table of decisions. What is only sampled is never shown as known.

mod grid;
mod heat;
mod spread;
mod bars;
mod plot;
mod words;
mod view;
mod review;

pub use grid::{HandCell, HandGrid};
pub use heat::{HeatBoard, HeatMap};
pub use review::{ReviewRow, ReviewView};
pub use spread::{Spread, SpreadRow};
pub use view::TrainerView;
pub use words::percent;
