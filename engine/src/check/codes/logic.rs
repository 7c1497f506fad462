//! Explanations of problems with the logic of rules.

use super::{
    Explanation, SPECIFICATION, explain,
    games::{SHOW, WAVE_OVER},
};

pub(super) const CODES: &[Explanation] = &[
    explain(
        "empty-disjunction",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= over (or))
(<= terminal over)
(goal alice 100)",
        WAVE_OVER,
        "Delete the rule, or write the alternatives.",
        "gdl-validation: empty disjunction; an or without alternatives is false",
    ),
    explain(
        "conjunction",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= over (and (true waved) (not (true ready))))
(<= terminal over)
(goal alice 100)",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= over (true waved) (not (true ready)))
(<= terminal over)
(goal alice 100)",
        "Write the conditions one after the other; inside an or, write one rule for each alternative.",
        "LG-2006-01, Def. 18 allows only not and or",
    ),
    explain(
        "nested-negation",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= over (not (not (true waved))))
(<= terminal over)
(goal alice 100)",
        WAVE_OVER,
        "Negate only atoms: remove double negations, and define a relation for any other negated formula.",
        "LG-2006-01, Def. 18",
    ),
    explain(
        "negated-distinct",
        "\
(role alice)
(card king)
(card queen)
(init now)
(<= (legal alice (show ?c)) (card ?c) (not (distinct ?c queen)) (true now))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        "\
(role alice)
(card king)
(card queen)
(init now)
(<= (legal alice (show ?c)) (card ?c) (distinct ?c queen) (true now))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        "To test for equality, use the same variable in both places.",
        "LG-2006-01, Def. 18; ggp-base test_clean_not_distinct",
    ),
    explain(
        "anonymous-under-not",
        "\
role(alice)
card(king)
card(queen)
higher(king, queen)
init(ready)
legal(alice, show(X)) :- card(X) & ~higher(_, X) & true(ready)
next(shown) :- does(alice, show(X))
terminal :- true(shown)
goal(alice, 100)",
        "\
role(alice)
card(king)
card(queen)
higher(king, queen)
init(ready)
legal(alice, show(X)) :- card(X) & ~higher(king, X) & true(ready)
next(shown) :- does(alice, show(X))
terminal :- true(shown)
goal(alice, 100)",
        "Define a relation such as has_succ(X) :- succ(Y, X), and negate that.",
        "Prolog reads it this way; LG-2006-01, Def. 18 requires every variable in a negation to be bound",
    ),
    explain(
        "unsafe-variable",
        "\
(role alice)
(card king)
(card queen)
(init ready)
(<= (legal alice (show ?card)) (card ?crad) (true ready))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        SHOW,
        "Add a positive condition that defines the range of the variable; in an or, to every alternative.",
        "LG-2006-01, Def. 18 (safety)",
    ),
    explain(
        "lone-variable",
        "\
(role alice)
(worth king 100)
(worth queen 0)
(init ready)
(<= (legal alice (show ?card)) (worth ?card ?points) (true ready))
(<= (next (shown ?card)) (does alice (show ?card)))
(<= terminal (true (shown ?card)))
(<= (goal alice ?points) (true (shown ?card)) (worth ?crad ?points))",
        "\
(role alice)
(worth king 100)
(worth queen 0)
(init ready)
(<= (legal alice (show ?card)) (worth ?card ?points) (true ready))
(<= (next (shown ?card)) (does alice (show ?card)))
(<= terminal (true (shown ?card)))
(<= (goal alice ?points) (true (shown ?card)) (worth ?card ?points))",
        "Spell the variable as elsewhere in the rule, or give it a name that is less alike if it may be anything.",
        "Croupier's own; Prolog systems warn of every variable that stands in a clause once",
    ),
    explain(
        "unbound-role",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= (sees ?player hello) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= (sees ?player hello) (role ?player) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "Add (role ?p), or a condition that selects some of the roles.",
        "LG-2006-01, Def. 18 (safety); left-to-right provers are asked about one role at a time and play such rules",
    ),
    explain(
        "unbound-in-head",
        "\
(role alice)
(card king)
(init ready)
(base ready)
(base (shown king))
(<= (legal alice wave) (true ready))
(<= (next (shown ?card)) (does alice wave))
(<= terminal (true (shown ?card)))
(goal alice 100)",
        "\
(role alice)
(card king)
(init ready)
(base ready)
(base (shown king))
(<= (legal alice wave) (true ready))
(<= (next (shown ?card)) (card ?card) (does alice wave))
(<= terminal (true (shown ?card)))
(goal alice 100)",
        "Add a condition that defines the range of the variable.",
        "LG-2006-01, Def. 18 (safety); the range comes from base, input and percept, or else from all other heads",
    ),
    explain(
        "unbound-under-not",
        "\
(role alice)
(init (left 1))
(legal alice wave)
(<= waiting (true (left ?n)))
(<= terminal (not (true (left ?n))))
(goal alice 100)",
        "\
(role alice)
(init (left 1))
(legal alice wave)
(<= waiting (true (left ?n)))
(<= terminal (not waiting))
(goal alice 100)",
        "Define a relation that holds if there is one, and negate that.",
        "LG-2006-01, Def. 18 requires every variable in a negation to be bound; Prolog and ggp-base read: there is none",
    ),
    explain(
        "negation-before-binding",
        "\
(role alice)
(card king)
(card queen)
(worn queen)
(init ready)
(<= (legal alice (show ?c)) (not (worn ?c)) (card ?c) (true ready))
(<= (next shown) (does alice (show ?c)))
(<= terminal (true shown))
(goal alice 100)",
        "\
(role alice)
(card king)
(card queen)
(worn queen)
(init ready)
(<= (legal alice (show ?c)) (card ?c) (not (worn ?c)) (true ready))
(<= (next shown) (does alice (show ?c)))
(<= terminal (true shown))
(goal alice 100)",
        "Write negations after the conditions that bind their variables.",
        "LG-2006-01, Def. 18 has no order; in Prolog, `not` with a free variable means that there is none",
    ),
    explain(
        "variable-in-fact",
        "\
(role alice)
(card ?king)
(init ready)
(<= (legal alice (show ?card)) (card ?card) (true ready))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        "\
(role alice)
(card king)
(init ready)
(<= (legal alice (show ?card)) (card ?card) (true ready))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        "Write a constant, or turn the fact into a rule whose body binds the variable.",
        "LG-2006-01, Def. 18; gdl-validation: VariablesOnlyInRules",
    ),
    explain(
        "unstratified-negation",
        "\
(role alice)
(init ready)
(legal alice wave)
(<= waiting (not over))
(<= over (not waiting))
(<= terminal over)
(goal alice 100)",
        "\
(role alice)
(init ready)
(legal alice wave)
(<= waiting (true ready))
(<= over (not waiting))
(<= terminal over)
(goal alice 100)",
        "Define one of the two relations without the other, so that it is known before it is negated.",
        "LG-2006-01, Def. 8 (stratification)",
    ),
    explain(
        "stratified-by-constants",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= won (true waved))
(<= (goal alice 100) won)
(<= (goal alice 0) (not (goal alice 100)))",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= won (true waved))
(<= (goal alice 100) won)
(<= (goal alice 0) (not won))",
        "Define a relation for the condition, and use it in both places.",
        "LG-2006-01, Def. 8 considers only relations; split by constants, the rules have a unique meaning and are played",
    ),
    explain(
        "unbounded-recursion",
        "\
(role alice)
(number 0)
(sum 0)
(<= (sum (s ?n)) (sum ?n))
(init ready)
(legal alice wave)
(<= terminal (sum (s 0)) (not (true ready)))
(goal alice 100)",
        "\
(role alice)
(number 0)
(sum 0)
(<= (sum (s ?n)) (sum ?n) (number ?n))
(init ready)
(legal alice wave)
(<= terminal (sum (s 0)) (not (true ready)))
(goal alice 100)",
        "Add a condition outside the recursion that bounds the argument.",
        "LG-2006-01, Def. 15 (recursion restriction)",
    ),
    explain(
        "unbounded-growth",
        "\
(role alice)
(number 0)
(init (count 0))
(legal alice wave)
(<= (next (count (s ?n))) (true (count ?n)))
(<= terminal (true (count (s ?n))))
(goal alice 100)",
        "\
(role alice)
(number 0)
(init (count 0))
(legal alice wave)
(<= (next (count (s ?n))) (true (count ?n)) (number ?n))
(<= terminal (true (count (s ?n))))
(goal alice 100)",
        "Add a condition that binds the growing argument by facts, such as a finite successor relation.",
        "Croupier, beyond LG-2006-01, whose Def. 15 covers only a single state; argument-restricted programs \
         (Lierler & Lifschitz, ICLP 2009); why some restriction is needed: Saffidine, The Game Description Language is \
         Turing complete, 2014",
    ),
    explain(
        "contradiction",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= over (true waved) (not (true waved)))
(<= terminal over)
(goal alice 100)",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= over (true waved) (not (true ready)))
(<= terminal over)
(goal alice 100)",
        "Delete the rule, or one of the two conditions.",
        "a rule that can never apply is probably a mistake",
    ),
    explain(
        "constant-comparison",
        "\
(role alice)
(card king)
(card queen)
(init now)
(<= (legal alice (show ?c)) (card ?c) (distinct king queen) (true now))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        "\
(role alice)
(card king)
(card queen)
(init now)
(<= (legal alice (show ?c)) (card ?c) (distinct ?c queen) (true now))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        "Compare with a variable, or delete the comparison.",
        "constants and functions are equal only if they are identical (LG-2006-01, Def. 18)",
    ),
    explain(
        "repeated-clause",
        "\
(role alice)
(card king)
(card king)
(init ready)
(<= (legal alice (show ?card)) (card ?card) (true ready))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        SHOW,
        "Delete one of the two.",
        "a repeated clause has no effect, so a different clause was probably intended",
    ),
    explain(
        "impossible-rule",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= over over)
(<= terminal over)
(goal alice 100)",
        WAVE_OVER,
        "Add a fact or a base case for the relation that never holds, or delete the rule.",
        "relaxed reachability: negations and comparisons are assumed to hold",
    ),
    explain(
        "several-arities",
        "\
(role alice)
(card king)
(card queen 2)
(init ready)
(<= (legal alice (show ?card)) (card ?card) (true ready))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        SHOW,
        "Add the missing arguments, or rename one of the relations or functions.",
        SPECIFICATION,
    ),
];
