//! That the numbers of cards that a `game.toml` claims are those of the rules, in every state of many matches.

use std::collections::BTreeMap;

use croupier_games::{DepictedKind, GameFacts, Scene, catalogue};
use croupier_picture::{ElementKind, Picture};
use croupier_table::scene_of_state;

use crate::walk::{Walk, compiled};

/// Random matches of each game.
const WALKS: u64 = if cfg!(debug_assertions) { 12 } else { 100 };

/// Turns of each.
const TURNS: usize = 150;

/// By the id of a zone before a player, how many cards `game.toml` says that it has.
fn claimed(facts: &GameFacts, scene: &Scene, players: &[&str]) -> BTreeMap<String, usize> {
    let layout = facts.layout(scene, players);
    let counts = layout.things.iter().filter(|thing| thing.is_certain && thing.kind == DepictedKind::Count);
    let claim = |thing: &croupier_games::Depicted| {
        let zone = thing.zone.as_ref()?;
        let number = thing.parts.first()?.words.parse().ok()?;
        Some((format!("p-zone-{}-{}", thing.owner.as_ref()?, zone.term), number))
    };
    counts.filter_map(claim).collect()
}

/// By the id of a zone before a player, how many cards lie in it.
fn drawn(picture: &Picture) -> BTreeMap<&str, usize> {
    let zones = picture.players.iter().flat_map(|player| &player.zones);
    let cards = |zone: &croupier_picture::Zone| {
        zone.elements.iter().filter(|element| matches!(element.kind, ElementKind::Card(_))).count()
    };
    zones.map(|zone| (zone.id.as_str(), cards(zone))).collect()
}

#[test]
fn numbers_of_cards_that_are_claimed_are_those_of_every_state() {
    let mut games = Vec::new();
    for entry in catalogue() {
        let facts = entry.facts().unwrap();
        if !entry.facts_toml.contains("\"count ?count in ") {
            continue;
        }
        // Without the claims, a state has the cards that it has.
        let plain = entry.facts_toml.lines().filter(|line| !line.contains("\"count ?count in "));
        let plain = GameFacts::parse(&plain.collect::<Vec<_>>().join("\n")).unwrap();
        let game = compiled(entry);
        let mut compared = 0;
        for seed in 0..WALKS {
            let walk = Walk::new(&game, &facts, seed, TURNS);
            let players = walk.players();
            for (turn, state) in walk.states.iter().enumerate() {
                let scene = scene_of_state(&walk.game, &facts, state);
                let there =
                    Picture::of(&plain, &scene_of_state(&walk.game, &plain, state), &players, None, None);
                let there = drawn(&there);
                for (zone, number) in claimed(&facts, &scene, &players) {
                    let found = there.get(zone.as_str()).copied().unwrap_or(0);
                    assert_eq!(number, found, "{} seed {seed}, {zone} after {turn} turns", entry.name);
                    compared += 1;
                }
            }
        }
        assert!(compared > 100, "{}: {compared}", entry.name);
        games.push(entry.name);
    }
    assert_eq!(games, ["gin-rummy-small", "goofspiel-13", "goofspiel-4", "hearts-small", "sushi-draft"]);
}
