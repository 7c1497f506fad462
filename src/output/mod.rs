//! What commands print: answers, refusals, tables, rules with what was found in them, and JSON with its schema.
//!
//! Nothing here knows an argument or a match.

pub(crate) mod answer;
pub(crate) mod schema;
pub(crate) mod failure;
pub(crate) mod bytes;
pub(crate) mod lines;
pub(crate) mod sarif;
pub(crate) mod render;
pub(crate) mod columns;
pub(crate) mod summary;
pub(crate) mod coverage;
pub(crate) mod approach;
pub(crate) mod page;
