//! Networks without rules: tic-tac-toe by hand, and gates at random.

use croupier_engine::stages::propnet::{Gates, Network, Wire};

/// Tic-tac-toe as its rules in GDL say it: 27 cells and two controls; nine marks and a move that does nothing.
/// Goals have the indices 0 (lost), 1 (drawn) and 2 (won).
pub(crate) fn tic_tac_toe() -> Network {
    let mut gates = Gates::new(29 + 20);
    let cell = |gates: &Gates, place: usize, content: usize| gates.input(3 * place + content);
    let mark = |gates: &Gates, role: usize, place: usize| gates.input(29 + 10 * role + place);
    let control = [gates.input(27), gates.input(28)];
    let blank: Vec<Wire> = (0..9).map(|place| cell(&gates, place, 2)).collect();
    let rows = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let line = [0, 1].map(|role| {
        let lines: Vec<Wire> =
            rows.iter().map(|row| gates.all(row.map(|place| gates.input(3 * place + role)))).collect();
        gates.any(lines)
    });
    let is_open = gates.any(blank.iter().copied());
    let any_line = gates.or(line[0], line[1]);
    let mut next = Vec::new();
    for (place, &blank) in blank.iter().enumerate() {
        let marks = [0, 1].map(|role| mark(&gates, role, place));
        for (role, &mark) in marks.iter().enumerate() {
            let marked = gates.and(blank, mark);
            next.push(gates.or(cell(&gates, place, role), marked));
        }
        next.push(gates.all([blank, !marks[0], !marks[1]]));
    }
    next.extend([control[1], control[0]]);
    let legal = [0, 1].map(|role| {
        let marks = blank.iter().map(|&blank| gates.and(blank, control[role])).collect::<Vec<_>>();
        marks.into_iter().chain([control[1 - role]]).collect()
    });
    let drawn = gates.all([!is_open, !line[0], !line[1]]);
    let terminal = gates.or(any_line, !is_open);
    let initial = (0..29).map(|base| base == 27 || (base < 27 && base % 3 == 2)).collect();
    Network {
        initial,
        next,
        terminal,
        legal: legal.to_vec(),
        goals: vec![
            vec![(2, line[0]), (1, drawn), (0, line[1])],
            vec![(2, line[1]), (1, drawn), (0, line[0])],
        ],
        sees: vec![Vec::new(), Vec::new()],
        gates,
    }
}

/// A stream of numbers that is the same everywhere, for networks that only have to be various.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}

/// Gates at random over `bases` and the moves of two roles, and cycles among those that depend on bases only,
/// which are half of them. What a gate has as inputs is mostly recent, as in networks of games.
pub(crate) fn random(
    bases: usize,
    moves: usize,
    [gates_count, cycles]: [usize; 2],
    numbers: &mut Numbers,
) -> Network {
    let mut gates = Gates::new(u32::try_from(bases + 2 * moves).expect("a small network"));
    let mut wires: Vec<Wire> = (0..bases).map(|base| gates.input(base)).collect();
    grow(&mut gates, &mut wires, gates_count / 2, numbers);
    for _ in 0..cycles {
        add_cycle(&mut gates, &mut wires, numbers);
    }
    grow(&mut gates, &mut wires, cycles, numbers);
    let state_wires = wires.clone();
    wires.extend((bases..bases + 2 * moves).map(|number| gates.input(number)));
    grow(&mut gates, &mut wires, gates_count - gates_count / 2, numbers);
    let mut pick = |wires: &[Wire]| {
        let recent = wires.len().min(4 * (bases + moves));
        inverted(wires[wires.len() - 1 - numbers.below(recent)], numbers)
    };
    Network {
        initial: (0..bases).map(|base| base % 3 == 0).collect(),
        next: (0..bases).map(|_| pick(&wires)).collect(),
        terminal: pick(&state_wires),
        legal: (0..2).map(|_| (0..moves).map(|_| pick(&state_wires)).collect()).collect(),
        goals: (0..2).map(|_| (0..3).map(|value| (value, pick(&state_wires))).collect()).collect(),
        sees: (0..2).map(|_| (0..3).map(|_| pick(&wires)).collect()).collect(),
        gates,
    }
}

fn inverted(wire: Wire, numbers: &mut Numbers) -> Wire {
    if numbers.below(2) == 0 { !wire } else { wire }
}

/// Adds gates until `count` more are there; a try that gives a constant or a known gate does not count.
fn grow(gates: &mut Gates, wires: &mut Vec<Wire>, count: usize, numbers: &mut Numbers) {
    let wanted = wires.len() + count;
    for _ in 0..20 * count {
        if wires.len() >= wanted {
            return;
        }
        // One input from the last few hundred, one from anywhere.
        let near = wires[wires.len() - 1 - numbers.below(wires.len().min(300))];
        let far = wires[numbers.below(wires.len())];
        let nodes = gates.nodes().len();
        let (near, far) = (inverted(near, numbers), inverted(far, numbers));
        let wire = gates.and(near, far);
        if gates.nodes().len() > nodes {
            wires.push(wire);
        }
    }
}

/// A cycle of up to eight wires, monotone in all of them; it may come apart into several, or into none.
fn add_cycle(gates: &mut Gates, wires: &mut Vec<Wire>, numbers: &mut Numbers) {
    let feedback = gates.open(1 + numbers.below(8));
    let mut monotone = feedback.clone();
    for _ in 0..3 * feedback.len() {
        let one = monotone[numbers.below(monotone.len())];
        let other = match numbers.below(2) {
            0 => monotone[numbers.below(monotone.len())],
            _ => inverted(wires[numbers.below(wires.len())], numbers),
        };
        monotone.push(if numbers.below(2) == 0 { gates.and(one, other) } else { gates.or(one, other) });
    }
    let next = feedback.iter().map(|_| {
        let rest = monotone[numbers.below(monotone.len())];
        let start = inverted(wires[numbers.below(wires.len())], numbers);
        if numbers.below(3) == 0 { gates.or(rest, start) } else { rest }
    });
    let next = next.collect();
    gates.close(next);
    wires.extend(monotone);
}
