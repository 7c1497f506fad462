//! Explanations of what can be wrong with lifetimes.

use super::{Explanation, explain};

const PAPER: &str =
    "Kowalski, Kisielewicz: Towards a Real-time Game Description Language, ICAART 2016, table 1";

pub(super) const CODES: &[Explanation] = &[
    explain(
        "mixed-time",
        "(init 2 timer) (<= (next ?t timer) (true ?t timer)) (<= terminal (true over))",
        "(init 2 timer) (<= (next ?t timer) (true ?t timer)) (<= terminal (true ?t over))",
        "Put a lifetime before the fluent in every init, true and next (infinity if nothing expires), or in none of them.",
        PAPER,
    ),
    explain(
        "lifetime",
        "(init soon timer) (<= (next 0 light) (expired timer))",
        "(init 0.5 timer) (<= (next 2 light) (expired timer))",
        "Write seconds: a decimal above 0 with at most six digits after the point, or infinity.",
        "Kowalski, Kisielewicz (ICAART 2016), section 2: lifetimes are positive reals; here they are whole microseconds",
    ),
    explain(
        "variable-lifetime",
        "(init infinity light) (colour red) (<= (next ?t light) (true infinity light) (colour ?t))",
        "(init infinity light) (delay 2.5) (<= (next ?t light) (true infinity light) (delay ?t))",
        "Bind the variable to lifetimes: to the lifetime of a true, or to numbers in facts.",
        "a match ends with an error if a lifetime is anything but a number or infinity",
    ),
    explain(
        "never-expires",
        "(init infinity timer) (<= terminal (expired timer))",
        "(init 1.0 timer) (<= terminal (expired timer))",
        "Give the fluent a finite lifetime, or delete the condition.",
        "Kowalski, Kisielewicz (ICAART 2016), section 2: only a fluent with a lifetime of at most t expires after t",
    ),
    explain(
        "expired-in-legal",
        "(init 1.0 timer) (<= (legal white stop) (expired timer))",
        "(init 1.0 timer) (<= (legal white stop) (true ?t timer))",
        "Define a fluent in the update in which the other one expires, and use that.",
        "Kowalski, Kisielewicz (ICAART 2016), definition 1: legal moves follow from the rules and the state alone",
    ),
];
