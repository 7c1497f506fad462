//! The ancestry of particles in turns whose states are no longer kept.

/// By turn, the parent of each particle and its moves: enough to reconstruct histories.
///
/// Entries without living descendants are removed from time to time, so memory grows with the number of distinct beginnings
/// of histories and not with particles times turns.
#[derive(Clone, Debug)]
pub(super) struct Past<M> {
    /// Entries of `moves` for each particle.
    stride: usize,
    turns: Vec<PastTurn<M>>,
    /// Turns at the front in which every particle has a descendant in the last of them.
    pruned: usize,
}

/// One turn of it.
#[derive(Clone, Debug)]
pub(super) struct PastTurn<M> {
    /// The particle of the turn before that each comes from.
    pub(super) parents: Vec<u32>,
    /// The moves of each.
    pub(super) moves: Vec<M>,
}

/// Turns that are added between two removals.
const PRUNED_EVERY: usize = 16;

impl<M: Clone> Past<M> {
    /// No turns, for particles with this many moves each.
    pub(super) fn new(stride: usize) -> Self {
        Self { stride, turns: Vec::new(), pruned: 0 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.turns.clear();
        self.pruned = 0;
    }

    /// Adds a turn; `parents_of_next` are the parents, in it, of the particles of the turn after it.
    pub(super) fn push(&mut self, turn: PastTurn<M>, parents_of_next: &mut [u32]) {
        self.turns.push(turn);
        if self.turns.len() >= self.pruned + PRUNED_EVERY {
            self.prune(parents_of_next);
        }
    }

    /// The moves of a particle of the last turn, from the last turn back to the first.
    pub(super) fn moves(&self, particle: usize) -> impl Iterator<Item = &[M]> {
        let mut index = particle;
        self.turns.iter().rev().map(move |turn| {
            let moves = &turn.moves[index * self.stride..][..self.stride];
            index = turn.parents[index] as usize;
            moves
        })
    }

    /// Leaves out particles without a descendant among those after the last turn.
    fn prune(&mut self, parents_of_next: &mut [u32]) {
        let mut parents = parents_of_next;
        for turn in self.turns.iter_mut().rev() {
            let mut places = vec![None; turn.parents.len()];
            parents.iter().for_each(|&parent| places[parent as usize] = Some(0));
            let mut kept = PastTurn { parents: Vec::new(), moves: Vec::new() };
            for (index, place) in places.iter_mut().enumerate().filter(|(_, place)| place.is_some()) {
                *place = Some(u32::try_from(kept.parents.len()).expect("particles are fewer than 2^32"));
                kept.parents.push(turn.parents[index]);
                kept.moves.extend_from_slice(&turn.moves[index * self.stride..][..self.stride]);
            }
            for parent in parents {
                *parent = places[*parent as usize].expect("a parent that was just marked");
            }
            *turn = kept;
            parents = &mut turn.parents;
        }
        self.pruned = self.turns.len();
    }
}

#[cfg(test)]
mod tests {
    use super::{PRUNED_EVERY, Past, PastTurn};

    /// Two particles a turn: the first comes from the second of the turn before, and the second from it too.
    #[test]
    fn histories_stay_the_same_when_ancestors_of_nobody_are_left_out() {
        let mut past = Past::new(1);
        let mut next = vec![1, 1];
        for turn in 0..PRUNED_EVERY {
            let parents = if turn == 0 { vec![0, 0] } else { vec![1, 1] };
            past.push(PastTurn { parents, moves: vec![(turn, 'a'), (turn, 'b')] }, &mut next);
        }
        assert_eq!(next, [0, 0]);
        let moves: Vec<_> = past.moves(0).flatten().copied().collect();
        let expected: Vec<_> = (0..PRUNED_EVERY).rev().map(|turn| (turn, 'b')).collect();
        assert_eq!(moves, expected);
        assert!(past.turns.iter().all(|turn| turn.parents == [0]));
    }
}
