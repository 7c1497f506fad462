//! Which other dialects a player may understand that does not answer in the one that it is written to.

use croupier_referee::{
    Conduct, Header,
    protocol::{Dialect, Notation, WireForm, check_form},
};

/// After so many moves of a match, none of which was its own, a player may not understand what it is written.
const UNANSWERED: u64 = 2;

/// The dialects that a player in this match could be written to instead, the likeliest first.
///
/// START is the same in all of them, and nothing that a player answers to it or to INFO names one, so they can only be
/// tried.
pub(crate) fn others(header: &Header, form: WireForm) -> Vec<WireForm> {
    let usual = if header.game().has_full_sight() {
        [Dialect::Gdl1, Dialect::Gdl2, Dialect::Gdl2Of2011, Dialect::Sees]
    } else {
        [Dialect::Gdl2, Dialect::Gdl2Of2011, Dialect::Sees, Dialect::Gdl1]
    };
    let others = usual.into_iter().filter(|dialect| *dialect != form.dialect);
    let others = others.map(|dialect| WireForm { notation: form.notation, ..WireForm::usual(dialect) });
    let mut others: Vec<WireForm> = others.filter(|other| check_form(header, *other).is_ok()).collect();
    if form.notation == Notation::Infix {
        others.insert(0, WireForm { notation: Notation::Prefix, ..form });
    }
    others
}

/// Whether a player was ready, and yet has not made one of the first moves of a match.
pub(crate) fn is_at_a_loss(conduct: &Conduct) -> bool {
    conduct.not_ready.is_none() && conduct.moves == UNANSWERED && conduct.substituted() == conduct.moves
}
