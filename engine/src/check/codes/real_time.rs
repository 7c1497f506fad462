//! Explanations of problems with lifetimes.

use super::{Explanation, explain, games::WAVE_TIMED};

const PAPER: &str =
    "Kowalski, Kisielewicz: Towards a Real-time Game Description Language, ICAART 2016, table 1";

pub(super) const CODES: &[Explanation] = &[
    explain(
        "mixed-time",
        "\
(role alice)
(init timer)
(<= (legal alice wave) (true ?t timer))
(<= (next ?t timer) (true ?t timer) (does alice wave))
(<= terminal (expired timer))
(goal alice 100)",
        WAVE_TIMED,
        "Put a lifetime before the fluent in every init, true and next (infinity if nothing expires), or in none of them.",
        PAPER,
    ),
    explain(
        "lifetime",
        "\
(role alice)
(init soon timer)
(<= (legal alice wave) (true ?t timer))
(<= (next ?t timer) (true ?t timer) (does alice wave))
(<= terminal (expired timer))
(goal alice 100)",
        WAVE_TIMED,
        "Write seconds: a decimal above 0 with at most six digits after the point, or infinity.",
        "Kowalski, Kisielewicz (ICAART 2016), section 2: lifetimes are positive reals; here they are whole microseconds",
    ),
    explain(
        "variable-lifetime",
        "\
(role alice)
(delay long)
(init 1.0 timer)
(<= (legal alice wave) (true ?t timer))
(<= (next ?d timer) (does alice wave) (delay ?d))
(<= terminal (expired timer))
(goal alice 100)",
        "\
(role alice)
(delay 0.5)
(init 1.0 timer)
(<= (legal alice wave) (true ?t timer))
(<= (next ?d timer) (does alice wave) (delay ?d))
(<= terminal (expired timer))
(goal alice 100)",
        "Bind the variable to lifetimes: to the lifetime of a true, or to numbers in facts.",
        "a match ends with an error if a lifetime is anything but a number or infinity",
    ),
    explain(
        "never-expires",
        "\
(role alice)
(init infinity timer)
(<= (legal alice wave) (true ?t timer))
(<= (next ?t timer) (true ?t timer) (does alice wave))
(<= terminal (expired timer))
(goal alice 100)",
        WAVE_TIMED,
        "Give the fluent a finite lifetime, or delete the condition.",
        "Kowalski, Kisielewicz (ICAART 2016), section 2: only a fluent with a lifetime of at most t expires after t",
    ),
    explain(
        "expired-in-legal",
        "\
(role alice)
(init 2.0 timer)
(<= (legal alice wave) (expired timer))
(<= (next ?t timer) (true ?t timer) (does alice wave))
(<= terminal (expired timer))
(goal alice 100)",
        WAVE_TIMED,
        "Define a fluent in the update in which the other one expires, and use that.",
        "Kowalski, Kisielewicz (ICAART 2016), definition 1: legal moves follow from the rules and the state alone",
    ),
];
