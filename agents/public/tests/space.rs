//! Rows of public beliefs under symmetries of the rules.

use std::{collections::BTreeSet, sync::Arc};

use croupier_engine::{Game, Options, game::Looker};
use croupier_public::{LookAhead, PublicEyes, PublicLimits, PublicSpace, SelfPlay, TreeDepth, ZeroValues};

/// Suits of Leduc can be exchanged rank by rank: eight symmetries. A search finds the same values for the image of a public belief.
#[test]
fn values_of_an_image_are_the_image_of_the_values() {
    for (name, count) in [("leduc", 8), ("kuhn", 1)] {
        let rules = croupier_games::find(name).unwrap().rules;
        let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
        let (mut eyes, mut looker) = (PublicEyes::new(Arc::clone(&game)).unwrap(), Looker::new(&game));
        let limits = PublicLimits { histories: 100_000 };
        let space = Arc::new(PublicSpace::new(&game, &mut eyes, &mut looker, &limits).unwrap());
        let symmetries = space.symmetries(&game).unwrap();
        assert_eq!(symmetries.len(), count, "{name}");
        let all: BTreeSet<usize> = (0..space.inputs()).collect();
        assert!(symmetries.iter().all(|places| places.iter().copied().collect::<BTreeSet<_>>() == all));
        let depth = TreeDepth { choices: usize::MAX, histories: 100_000 };
        let ahead = LookAhead { depth, iterations: 30, exploration: 0.0 };
        let mut play = SelfPlay::new(Arc::clone(&game), Arc::clone(&space), ahead, [0; 32]).unwrap();
        let outputs = space.outputs();
        // From the beginning of the match everything is as likely: its values are their own image.
        let found = play.play(&mut ZeroValues { outputs }, 1).unwrap();
        let first = space.inputs() - outputs;
        for places in &symmetries {
            for example in &found {
                let mut image = vec![0.0; space.inputs()];
                places.iter().zip(&example.row).for_each(|(&place, &number)| image[place] = number);
                assert_eq!(image, example.row, "{name}: the initial public belief is its own image");
                for (&place, value) in places[first..].iter().zip(&example.values) {
                    let other = example.values[place - first];
                    assert!((other - value).abs() < 1e-5, "{name}: {value} and {other}");
                }
            }
        }
    }
}
