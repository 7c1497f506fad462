//! What must hold for any bytes at all: the properties that the fuzzer searches for a breach of, and
//! that the ordinary tests check on kept regressions and on damaged rule files.
//!
//! Each panics where its property does not hold.

use croupier_engine::{
    CompileError, Diagnostic, Game, GameError, Limits, Options, Strictness,
    draw::draw_index,
    game::{Backend, PerceptReading},
    stages::syntax::{self, Decoded, Description, Syntax, print_description, print_infix, read},
};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// Limits that let a single input take a moment only.
const LIMITS: Limits = Limits {
    source_bytes: 1 << 16,
    rules: 2_000,
    terms: 20_000,
    fuel: 200_000,
    rows: 100_000,
    ground_fuel: 200_000,
    ground_rows: 20_000,
    turns: 20,
    ..Limits::STANDARD
};

/// Any bytes are read in any syntax; findings lie inside the text; what is printed is read as it was printed.
pub fn parse(bytes: &[u8]) {
    let Decoded { text, finding } = syntax::decode(bytes);
    check_spans(&text, finding.as_slice());
    for syntax in [Syntax::Auto, Syntax::Prefix, Syntax::Infix] {
        let reading = read(&text, syntax, &LIMITS);
        check_spans(&text, &reading.diagnostics);
        let printed = print_description(&reading.description);
        let again = read_again(&printed, Syntax::Prefix);
        assert_eq!(print_description(&again), printed, "print, read, print is no fixed point");
    }
}

/// What can be read keeps its meaning in the other syntax, and comes back the same.
pub fn convert(bytes: &[u8]) {
    let text = syntax::decode(bytes).text;
    let description = read(&text, Syntax::Auto, &LIMITS).description;
    let infix = print_infix(&description);
    let there = read_again(&infix, Syntax::Infix);
    assert_eq!(
        print_description(&there),
        print_description(&description),
        "infix says something else: {infix}"
    );
    assert_eq!(print_infix(&there), infix, "print, read, print is no fixed point");
}

/// Rules that pass the strict checks make the engine fail by nothing but a limit or a fault of the
/// rules that only play can show.
pub fn simulate(bytes: &[u8]) {
    let text = syntax::decode(bytes).text;
    for backend in [Backend::Datalog, Backend::Propnet] {
        simulate_on(&text, backend);
    }
}

fn simulate_on(text: &str, backend: Backend) {
    let (limits, strictness) = (LIMITS, Strictness::Strict);
    let options = Options { limits, strictness, percepts: PerceptReading::OldState, backend };
    let game = match Game::compile(text, &options) {
        Ok(compiled) => compiled.game,
        Err(CompileError::Rules(diagnostics)) => return check_spans(text, &diagnostics),
        Err(CompileError::Evaluation(GameError::Limit { .. } | GameError::Ground(_))) => return,
        Err(error) => panic!("sound rules did not compile: {error}"),
    };
    let mut scratch = game.scratch();
    for seed in 0..2 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // The kinds of fault that remain are those of the rules: nothing to play, no goal, several goals.
        let _ = game.playout(game.initial_state(), &mut rng, &mut scratch);
    }
}

/// One or a few changes to a text: bytes changed, parts cut, doubled or swapped.
pub fn damage(bytes: &[u8], rng: &mut impl Rng) -> Vec<u8> {
    const SOUP: &[u8] = b"()?<=~&|.,:-_'%; \n\taXzZ019\0\xe2\xff";
    let mut damaged = bytes.to_vec();
    for _ in 0..=draw_index(4, rng) {
        let at = draw_index(damaged.len() + 1, rng);
        let to = (at + draw_index(24, rng)).min(damaged.len());
        match draw_index(5, rng) {
            0 => damaged.insert(at, SOUP[draw_index(SOUP.len(), rng)]),
            1 => drop(damaged.drain(at..to)),
            2 => {
                let part = damaged[at..to].to_vec();
                let there = draw_index(damaged.len() + 1, rng);
                damaged.splice(there..there, part);
            }
            3 => damaged[at..to].reverse(),
            _ => damaged.truncate(at.max(1)),
        }
    }
    damaged
}

fn read_again(text: &str, syntax: Syntax) -> Description {
    let limits = Limits { source_bytes: usize::MAX, tokens: usize::MAX, symbol_bytes: usize::MAX, ..LIMITS };
    let reading = read(text, syntax, &limits);
    let errors: Vec<_> = reading
        .diagnostics
        .iter()
        .filter(|found| found.severity == croupier_engine::Severity::Error)
        .collect();
    assert!(errors.is_empty(), "what was printed cannot be read: {errors:?} in {text}");
    reading.description
}

fn check_spans(text: &str, diagnostics: &[Diagnostic]) {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    for found in diagnostics {
        let places = std::iter::once(found.span).chain(found.notes.iter().map(|(span, _)| *span));
        for span in places {
            assert!(span.start <= span.end, "{found}");
            // An empty text is blamed at its first byte, which it does not have.
            assert!(span.end <= length.max(1), "{found}");
        }
    }
}
