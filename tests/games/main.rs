//! Each game of the catalogue beside an account of its rules that shares nothing with its rule file.

mod backgammon;
mod chance_games;
mod classics;
mod counts;
mod dark_boards;
mod deck_building;
mod depletion;
mod hanabi;
mod hands_and_ships;
mod hidden_moves;
mod holdem;
mod kriegspiel;
mod lamps_spies_and_fog;
mod liars;
mod poker_words;
mod rummy;
mod side_pots;
mod small_games;
mod stacks;
mod stratego;
mod transit;
mod tricks;
mod value_of_information;
mod yacht;
