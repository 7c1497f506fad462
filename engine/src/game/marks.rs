//! Tags that tie values to their game, and the errors for values of another game.

use crate::{
    game::{JointMove, Percepts, State},
    id::{FluentId, MoveId, PerceptId},
    tag::{GameTag, Mark},
};

/// The tags of a game: empty in builds without `debug_assertions`, where nothing is checked.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Shared by forks: ids, states and joint moves of one are valid in all.
    family: Mark,
    /// Specific to this game: working memory depends on its terms.
    own: Mark,
}

impl Marks {
    /// The tags of a fork.
    pub(super) fn fork(&self) -> Self {
        Self { family: self.family.clone(), own: Mark::default() }
    }

    /// The tag of values created by the game.
    #[inline]
    pub(super) fn tag(&self) -> GameTag {
        self.family.tag()
    }

    /// The tag of working memory.
    pub(super) fn of_scratch(&self) -> Mark {
        self.own.clone()
    }

    /// # Panics
    /// If working memory with this tag belongs to another game, in builds that check.
    #[inline]
    #[track_caller]
    pub(super) fn check_scratch(&self, mark: &Mark) {
        let message = "this scratch belongs to another game: create one with `Game::scratch` of this game";
        self.own.check(mark, message);
    }

    /// # Panics
    /// If a looker with this tag belongs to another game, in builds that check.
    #[inline]
    #[track_caller]
    pub(super) fn check_looker(&self, mark: &Mark) {
        let message = "this looker belongs to another game: create one with `Looker::new` for this game";
        self.own.check(mark, message);
    }
}

impl MoveId {
    /// # Panics
    /// If it is not of the game of `tag`, in builds that check.
    #[inline]
    #[track_caller]
    pub(super) fn check(self, tag: GameTag) {
        let message = "this move belongs to another game: find it with `Game::find_move`, `Game::legal_moves` or \
            `Game::move_id` of this game";
        tag.check(self.tag(), message);
    }
}

impl FluentId {
    /// # Panics
    /// If it is not of the game of `tag`, in builds that check.
    #[inline]
    #[track_caller]
    pub(super) fn check(self, tag: GameTag) {
        let message = "this fluent belongs to another game: find it with `Game::fluent_id` of this game, \
            or of the game of the state";
        tag.check(self.tag(), message);
    }
}

impl PerceptId {
    /// # Panics
    /// If it is not of the game of `tag`, in builds that check.
    #[inline]
    #[track_caller]
    pub(super) fn check(self, tag: GameTag) {
        let message = "this percept belongs to another game: read it with `Game::percepts_of` of this game";
        tag.check(self.tag(), message);
    }
}

impl State {
    /// # Panics
    /// If it is not of the game of `tag`, in builds that check.
    #[inline]
    #[track_caller]
    pub(super) fn check(&self, tag: GameTag) {
        let message = "this state belongs to another game: start from `Game::initial_state`, or read it with \
            `Game::state_of`, of this game";
        tag.check(self.tag, message);
    }
}

impl JointMove {
    /// # Panics
    /// If it is not of the game of `tag`, in builds that check.
    #[inline]
    #[track_caller]
    pub(super) fn check(&self, tag: GameTag) {
        let message = "this joint move belongs to another game: create one with `Game::joint_move` of \
            this game";
        // One game made all of its moves.
        if let Some((_, played)) = self.moves.iter().next() {
            tag.check(played.tag(), message);
        }
    }
}

impl Percepts {
    /// # Panics
    /// If they are not of the game of `tag`, in builds that check.
    #[inline]
    #[track_caller]
    pub(super) fn check(&self, tag: GameTag) {
        if let Some(percept) = self.terms.first() {
            percept.check(tag);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{ByRole, Game, Options};

    /// Names are met in another order in each text, so that the numbers of one mean others in the other.
    const TEXTS: [&str; 2] = [
        "(role a) (init (at 0)) (legal a (go left)) (legal a (go right)) (<= (next (at ?s)) (does a (go ?s)))
            (<= (sees a (went ?s)) (does a (go ?s))) (<= terminal (not (true (at 0)))) (goal a 50)",
        "(role a) (legal a up) (legal a down) (init start) (<= (next (gone ?m)) (does a ?m)) (<= (sees a ?m) (does a ?m))
            (<= terminal (not (true start))) (goal a 10)",
    ];

    fn games() -> [Game; 2] {
        TEXTS.map(|text| Game::compile(text, &Options::PLAY).expect("sound rules").game)
    }

    #[test]
    fn a_fork_takes_what_there_was_before_it_and_what_it_makes_its_game_takes() {
        let [game, _] = games();
        let fork = game.fork();
        for [one, other] in [[&game, &fork], [&fork, &game]] {
            let (state, role) = (one.initial_state(), one.roles().all().next().expect("a role"));
            let gone = one.find_move(state, role, "(go left)", &mut one.scratch()).expect("a legal move");
            let mut scratch = other.scratch();
            let joint_move = other.joint_move(state, ByRole::from_fn(one.roles(), |_| gone), &mut scratch);
            let turn =
                one.turn(state, &joint_move.expect("a legal move"), &mut one.scratch()).expect("sound rules");
            assert_eq!(other.move_text(gone), "(go left)".into());
            assert_eq!(other.percept_terms(&turn.percepts[role]), ["(went left)".into()]);
            assert_eq!(other.state_terms(&turn.successor), ["(at left)".into()]);
            assert!(other.is_terminal(&turn.successor, &mut scratch).expect("sound rules"));
        }
    }

    /// Users may compare ids of two games, and store them in maps: what a build checks must not show there.
    #[test]
    fn values_of_two_games_are_compared_and_shown_by_their_numbers_alone() {
        use std::hash::{BuildHasher, BuildHasherDefault};
        let ids = games().map(|game| game.move_id("a").expect("a term"));
        assert_eq!(ids[0].index(), ids[1].index(), "both texts name this first");
        assert_eq!(ids[0], ids[1]);
        assert_eq!(ids[0].cmp(&ids[1]), std::cmp::Ordering::Equal);
        let hash = BuildHasherDefault::<rustc_hash::FxHasher>::default();
        assert_eq!(hash.hash_one(ids[0]), hash.hash_one(ids[0].index() as u32));
        assert_eq!(format!("{:?}", ids[1]), format!("MoveId({})", ids[1].index()));
    }

    #[cfg(not(debug_assertions))]
    #[test]
    fn in_release_builds_ids_are_numbers_and_nothing_else() {
        use crate::{FluentId, MoveId, PerceptId, State, game::fluents::Fluents};
        assert_eq!([size_of::<MoveId>(), size_of::<FluentId>(), size_of::<PerceptId>()], [4; 3]);
        assert_eq!(size_of::<State>(), size_of::<(Fluents, u64)>());
        assert_eq!((size_of::<super::Mark>(), size_of::<super::Marks>()), (0, 0));
    }

    #[cfg(debug_assertions)]
    mod in_debug_builds {
        use std::panic::{AssertUnwindSafe, catch_unwind};

        use super::*;
        use crate::{
            JointMove, Percepts, Status,
            game::{Branch, Looker},
        };

        /// All joint moves of a game at its beginning.
        fn joint_moves(game: &Game) -> Vec<JointMove> {
            let Ok(Status::Running { legal }) = game.status(game.initial_state(), &mut game.scratch()) else {
                panic!("it has begun");
            };
            game.joint_moves(&legal).collect()
        }

        /// Checks that this mix of two games ends with a message that begins like this.
        fn refused(message: &str, mix: impl FnOnce()) {
            let panic = catch_unwind(AssertUnwindSafe(mix)).expect_err("a mix is refused");
            let said = panic.downcast_ref::<String>().expect("a message");
            assert!(said.starts_with(message), "{said}");
        }

        fn percepts(game: &Game) -> Percepts {
            let (state, role) = (game.initial_state(), game.roles().all().next().expect("a role"));
            game.percepts(state, &joint_moves(game)[0], role, &mut game.scratch()).expect("sound rules")
        }

        #[test]
        fn a_scratch_of_another_game_is_refused_in_debug_builds() {
            refused("this scratch belongs to another game: create one with `Game::scratch`", || {
                let [game, other] = games();
                let _ = game.is_terminal(game.initial_state(), &mut other.scratch());
            });
        }

        #[test]
        fn a_scratch_of_a_fork_is_refused_in_debug_builds() {
            refused("this scratch belongs to another game", || {
                let [game, _] = games();
                let _ = game.is_terminal(game.initial_state(), &mut game.fork().lifted_scratch());
            });
        }

        #[test]
        fn a_scratch_of_a_game_that_is_gone_is_refused_in_debug_builds() {
            refused("this scratch belongs to another game", || {
                let [game, other] = games();
                let mut scratch = other.scratch();
                drop(other);
                let _ = game.is_terminal(game.initial_state(), &mut scratch);
            });
        }

        #[test]
        fn a_looker_of_another_game_is_refused_in_debug_builds() {
            refused("this looker belongs to another game: create one with `Looker::new`", || {
                let [game, other] = games();
                let _ = Looker::new(&other).statuses(&game, &[game.initial_state()]);
            });
        }

        #[test]
        fn a_state_of_another_game_is_refused_in_debug_builds() {
            refused("this state belongs to another game: start from `Game::initial_state`", || {
                let [game, other] = games();
                let _ = game.status(other.initial_state(), &mut game.scratch());
            });
        }

        #[test]
        fn a_text_of_a_state_of_another_game_is_refused_in_debug_builds() {
            refused("this state belongs to another game", || {
                let [game, other] = games();
                let _ = game.state_terms(&other.state_of(["start"]).expect("a term"));
            });
        }

        #[test]
        fn a_joint_move_of_another_game_is_refused_in_debug_builds() {
            refused("this joint move belongs to another game: create one with `Game::joint_move`", || {
                let [game, other] = games();
                let _ = game.turn(game.initial_state(), &joint_moves(&other)[0], &mut game.scratch());
            });
        }

        #[test]
        fn a_move_of_another_game_is_refused_in_debug_builds() {
            refused("this move belongs to another game: find it with `Game::find_move`", || {
                let [game, other] = games();
                let played = other.move_id("up").expect("a term");
                let _ = game.joint_move(
                    game.initial_state(),
                    ByRole::from_fn(game.roles(), |_| played),
                    &mut game.scratch(),
                );
            });
        }

        #[test]
        fn a_text_of_a_move_of_another_game_is_refused_in_debug_builds() {
            refused("this move belongs to another game", || {
                let [game, other] = games();
                let _ = game.move_text(other.move_id("up").expect("a term"));
            });
        }

        #[test]
        fn percepts_of_another_game_are_refused_in_debug_builds() {
            refused("this percept belongs to another game: read it with `Game::percepts_of`", || {
                let [game, other] = games();
                let _ = game.percept_terms(&percepts(&other));
            });
        }

        #[test]
        fn a_fluent_of_another_game_is_refused_in_debug_builds() {
            refused("this fluent belongs to another game: find it with `Game::fluent_id`", || {
                let [game, other] = games();
                let _ =
                    game.initial_state().contains(other.initial_state().fluents().next().expect("a fluent"));
            });
        }

        #[test]
        fn a_network_refuses_a_state_of_another_game_in_debug_builds() {
            refused("this state belongs to another game", || {
                let [game, other] = games();
                let _ = game.network().expect("a small game").row(other.initial_state());
            });
        }

        #[test]
        fn lanes_refuse_a_joint_move_of_another_game_in_debug_builds() {
            refused("this move belongs to another game", || {
                let [game, other] = games();
                let joint_move = &joint_moves(&other)[0];
                let branches = vec![Branch { state: 0, joint_move }; 100];
                let _ = Looker::new(&game).turns(&game, &[game.initial_state()], &branches);
            });
        }

        #[test]
        fn values_that_no_game_made_are_taken_in_debug_builds() {
            let [game, _] = games();
            let played = game.move_id("(go left)").expect("a term");
            let bare = crate::MoveId::new(played.index()).expect("a small number");
            assert_eq!(game.move_text(bare), game.move_text(played));
        }
    }
}
