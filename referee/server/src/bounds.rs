//! How long the referee computes a turn of a game: measured before the first match, so that a secret state that takes long shows in
//! the timing of none.

use std::{sync::Arc, time::Duration};

use croupier_referee::{Event, Header, MatchState, Reply, Request, Secrets, Seed};

use crate::{
    clock,
    problem::{Problem, Result},
    referee::Referee,
    seat::SeatSetup,
    setup::StoredSetup,
};

/// Matches that are played to measure a game, at most; and after this many, as long as there is time.
const MATCHES_MAX: u8 = 64;
const MATCHES_MIN: u8 = 8;

/// The time for that, and the time for fewer matches than those.
const TIME: Duration = Duration::from_secs(3);
const TIME_MAX: Duration = Duration::from_secs(10);

/// How long the messages of a turn of a game take, from the reply that they follow from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bound {
    /// To compute a turn at most, as measured before the first match.
    measured_us: u64,
    /// With what else they wait for, such as the disk, in the last turns: the mean, and the mean of the deviations from it.
    mean_us: u64,
    deviation_us: u64,
}

/// One turn counts this part of these means.
const SHARE: u64 = 64;

impl Bound {
    pub(crate) fn measured(us: u64) -> Self {
        Self { measured_us: us, mean_us: 0, deviation_us: 0 }
    }

    /// What the matches that follow wait for: twice what was measured, and four deviations more than the mean, as the timer of TCP does
    /// (RFC 6298, section 2). Whoever waits for the slowest turns would be slow for ever on a machine that is busy now and then; what the
    /// state decides is in the first of these, and what makes a turn still later, such as the disk, knows nothing of the state.
    pub(crate) fn step_us(&self) -> u64 {
        self.measured_us.saturating_mul(2).max(self.mean_us + 4 * self.deviation_us)
    }

    /// Takes in a turn of a match that is over.
    pub(crate) fn note(&mut self, took_us: u64) {
        // No turn waits for longer than a minute.
        let took_us = took_us.min(60_000_000);
        let share = |mean: u64, seen: u64| mean - mean / SHARE + seen / SHARE;
        self.deviation_us = share(self.deviation_us, self.mean_us.abs_diff(took_us));
        self.mean_us = share(self.mean_us, took_us);
    }
}

impl Referee {
    /// Measures a game, unless that was done: the store keeps what was measured.
    ///
    /// # Errors
    /// [`Problem`] if the store does not answer.
    pub(crate) async fn demand_bound(&self, header: &Arc<Header>) -> Result<()> {
        let (context, digest) = (&self.context, header.game_digest());
        if context.knows(digest) {
            return Ok(());
        }
        let _permit = context.trials.acquire().await.map_err(|_| Problem::stopping())?;
        if context.knows(digest) {
            return Ok(());
        }
        let name = digest.to_string();
        let turn_us = match self.store().turn_us(&name).await? {
            Some(turn_us) => turn_us,
            None => {
                // Nobody ever plays these matches: their seeds and their key are no secrets.
                let secrets = |number| Secrets::from_seed(Seed::from_bytes([number; 32]));
                let measured = Arc::clone(header);
                // A client that goes away takes this with it; what was measured until then is not kept.
                let work = move |is_over: &mut dyn FnMut() -> bool| turn_us(&measured, secrets, is_over);
                let turn_us = self.checks.run(None, work).await?;
                if let Err(error) = self.store().keep_turn_us(&name, &header.setup().rules, turn_us).await {
                    tracing::warn!(%error, "what was measured of a game is measured again after a restart");
                }
                turn_us
            }
        };
        tracing::debug!(turn_us, "a game was measured");
        context.know(digest, turn_us);
        Ok(())
    }

    /// Measures a game that is uploaded, if its timing could tell something.
    ///
    /// # Errors
    /// [`Problem`] if the rules cannot be compiled, or the store does not answer.
    pub(crate) async fn measure(&self, rules: String) -> Result<()> {
        let game = self.game(rules.clone()).await?;
        if game.has_full_sight() {
            return Ok(());
        }
        let mut setup = StoredSetup::of_nobody();
        let seats = game.roles().players().map(|role| (game.roles().name(role).to_owned(), SeatSetup::Open));
        setup.seats = seats.collect();
        let header = self.header("trial", rules, &setup).await?;
        self.demand_bound(&header).await
    }
}

/// The longest time that a turn took in some random matches, in microseconds: in as many as there is time for until `is_over`
/// returns true. Nothing if it did before anything was measured.
fn turn_us(
    header: &Arc<Header>,
    secrets: impl Fn(u8) -> Secrets,
    is_over: &mut dyn FnMut() -> bool,
) -> Option<u64> {
    if is_over() {
        return None;
    }
    let (begun, mut longest) = (clock::now(), Duration::ZERO);
    let mut draws = Draws(0);
    for number in 0..MATCHES_MAX {
        let time = if number < MATCHES_MIN { TIME_MAX } else { TIME };
        let state = MatchState::new(Arc::clone(header), secrets(number));
        let mut is_out_of_time = || clock::now() >= begun + time || is_over();
        let Some(took) = play(state, &mut draws, &mut is_out_of_time) else {
            break;
        };
        longest = longest.max(took);
    }
    Some(u64::try_from(longest.as_micros()).unwrap_or(u64::MAX))
}

/// Plays a match by random moves; the longest time of a step, or nothing if there is no time.
fn play(
    mut state: MatchState,
    draws: &mut Draws,
    is_out_of_time: &mut dyn FnMut() -> bool,
) -> Option<Duration> {
    let mut longest = Duration::ZERO;
    state.step(0, Event::Begin);
    while let Some((to, now_ms)) = state.request() {
        for role in state.awaited() {
            if is_out_of_time() {
                return (!longest.is_zero()).then_some(longest);
            }
            let text = match (to, state.legal()) {
                (Request::Play { .. }, Some(legal)) => {
                    let moves = &legal[role];
                    state.header().game().move_text(moves[draws.below(moves.len())]).to_string()
                }
                _ => "READY".to_owned(),
            };
            let at = clock::now();
            state.step(now_ms, Event::Reply { role, to, reply: Reply::Text(text) });
            longest = longest.max(at.elapsed());
        }
    }
    Some(longest)
}

/// Numbers that look random enough to walk through a game: SplitMix64.
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((x ^ (x >> 31)) % n.max(1) as u64).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_commit_is_soon_forgotten_and_what_was_measured_is_not() {
        let mut bound = Bound::measured(3_000);
        assert_eq!(bound.step_us(), 6_000, "twice what was measured");
        (0..900).for_each(|_| bound.note(8_000));
        assert!((7_900..8_400).contains(&bound.step_us()), "what every turn takes: {}", bound.step_us());
        bound.note(125_000);
        assert!((14_000..18_000).contains(&bound.step_us()), "{}", bound.step_us());
        (0..400).for_each(|_| bound.note(8_000));
        assert!(bound.step_us() < 9_000, "{}", bound.step_us());
        (0..2_000).for_each(|_| bound.note(0));
        assert_eq!(bound.step_us(), 6_000);
    }

    #[test]
    fn measuring_ends_with_its_budget_and_keeps_what_it_has_until_then() {
        let rules =
            "(role a) (init (at 0)) (next (at 0)) (legal a wait) (goal a 50) (<= terminal (true never))";
        let setup = StoredSetup::of_nobody().core("m", rules.to_owned());
        let setup = croupier_referee::MatchSetup { players: vec![("a".to_owned(), "a".to_owned())], ..setup };
        let header = Arc::new(Header::compile(setup).expect("sound rules"));
        let secrets = |number| Secrets::from_seed(Seed::from_bytes([number; 32]));
        assert_eq!(turn_us(&header, secrets, &mut || true), None, "nothing was measured");
        let mut asked = 0;
        let measured = turn_us(&header, secrets, &mut || {
            asked += 1;
            asked > 20
        });
        assert!(measured.is_some(), "of the turns until then");
        assert!(asked < 40, "it went on: {asked}");
    }
}
