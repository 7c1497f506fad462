//! Explanations of what can be wrong with the logic of rules.

use super::{Explanation, SPECIFICATION, explain};

pub(super) const CODES: &[Explanation] = &[
    explain(
        "empty-disjunction",
        ("(<= p (or))", "(<= p (or q))"),
        "Delete the rule, or write what may hold.",
        "gdl-validation: empty disjunction; an or of nothing is false",
    ),
    explain(
        "conjunction",
        ("(<= p (and q r))", "(<= p q r)"),
        "Write the conditions one after the other; inside an or, write one rule for each alternative.",
        "LG-2006-01, Def. 18 knows not and or alone",
    ),
    explain(
        "nested-negation",
        ("(<= p (not (not q)))", "(<= p (not q))"),
        "Negate atoms alone: drop double negations, and give what is negated a relation of its own.",
        "LG-2006-01, Def. 18",
    ),
    explain(
        "negated-distinct",
        ("(<= (p ?x) (q ?x) (not (distinct ?x a)))", "(<= (p ?x) (q ?x) (distinct ?x a))"),
        "Write the same variable in both places in place of a comparison for equality.",
        "LG-2006-01, Def. 18; ggp-base test_clean_not_distinct",
    ),
    explain(
        "anonymous-under-not",
        ("first(X) :- number(X), not succ(_, X).", "first(X) :- number(X), not succ(0, X)."),
        "Add a relation such as has_succ(X) :- succ(Y, X), and negate that.",
        "Prolog reads it so; LG-2006-01, Def. 18 has every variable of a negation bound",
    ),
    explain(
        "unsafe-variable",
        ("(<= (p ?x) (not (q ?x)))", "(<= (p ?x) (r ?x) (not (q ?x)))"),
        "Add a positive condition that says what the variable ranges over; in an or, to every alternative.",
        "LG-2006-01, Def. 18 (safety)",
    ),
    explain(
        "unbound-role",
        ("(<= (sees ?p won) (true over))", "(<= (sees ?p won) (role ?p) (true over))"),
        "Add (role ?p), or a condition that chooses among the roles.",
        "LG-2006-01, Def. 18 (safety); left-to-right provers are asked for one role at a time and play such rules",
    ),
    explain(
        "unbound-in-head",
        ("(base (c 1)) (<= (next (c ?x)) (true f))", "(base (c 1)) (n 1) (<= (next (c ?x)) (n ?x) (true f))"),
        "Add a condition that says what the variable ranges over.",
        "LG-2006-01, Def. 18 (safety); base, input and percept say what there is, else all other heads do",
    ),
    explain(
        "unbound-under-not",
        ("(<= p (not (q ?x)))", "(<= p (not has_q)) (<= has_q (q ?x))"),
        "Add a relation that says that there is one, and negate that.",
        "LG-2006-01, Def. 18 has every variable of a negation bound; Prolog and ggp-base read none at all",
    ),
    explain(
        "negation-before-binding",
        ("(<= p (not (q ?x)) (r ?x))", "(<= p (r ?x) (not (q ?x)))"),
        "Write negations behind the conditions that bind their variables.",
        "LG-2006-01, Def. 18 has no order; in Prolog `not` of a free variable says that there is none at all",
    ),
    explain(
        "variable-in-fact",
        ("(p ?x)", "(p a)"),
        "Write a constant, or make the fact a rule whose body binds the variable.",
        "LG-2006-01, Def. 18; gdl-validation: VariablesOnlyInRules",
    ),
    explain(
        "unstratified-negation",
        ("(<= p (not q)) (<= q p)", "(<= p (not q)) (<= q r)"),
        "Define one of the relations without the other, so that it is known when it is negated.",
        "LG-2006-01, Def. 8 (stratification)",
    ),
    explain(
        "stratified-by-constants",
        ("(<= (goal a 0) (not (goal a 100)))", "(<= (goal a 0) (not won))"),
        "Give the condition a relation of its own, and use it in both places.",
        "LG-2006-01, Def. 8 goes by relations; split by constants, the rules have one meaning and are played",
    ),
    explain(
        "unbounded-recursion",
        ("(q a) (<= (p (f ?x)) (p ?x))", "(q a) (<= (p (f ?x)) (p ?x) (q ?x))"),
        "Add a condition outside the recursion that bounds the argument.",
        "LG-2006-01, Def. 15 (recursion restriction)",
    ),
    explain(
        "unbounded-growth",
        (
            "(init (c z)) (<= (next (c (s ?x))) (true (c ?x)))",
            "(q z) (init (c z)) (<= (next (c (s ?x))) (true (c ?x)) (q ?x))",
        ),
        "Add a condition that binds the growing argument from facts, such as a successor relation with an end.",
        "Croupier's own, beyond LG-2006-01, whose Def. 15 ends at the borders of a state; argument-restricted programs \
         (Lierler & Lifschitz, ICLP 2009); why some restriction is needed: Saffidine, The Game Description Language is \
         Turing complete, 2014",
    ),
    explain(
        "contradiction",
        ("(<= p q (not q))", "(<= p q (not r))"),
        "Delete the rule, or one of the two conditions.",
        "a rule that can never fire is a slip",
    ),
    explain(
        "constant-comparison",
        ("(<= p (distinct a b))", "(<= p (q ?x) (distinct ?x b))"),
        "Compare with a variable, or delete the comparison.",
        "constants and functions are equal only if they are the same (LG-2006-01, Def. 18)",
    ),
    explain(
        "repeated-clause",
        ("(p a) (p a)", "(p a) (p b)"),
        "Delete one of them.",
        "saying something twice says nothing more, so another clause was probably meant",
    ),
    explain(
        "impossible-rule",
        ("(<= p q) (<= q q)", "(<= p q) (<= q r) r"),
        "Give the relation that never holds a fact or a rule to begin with, or delete the rule.",
        "relaxed reachability: negations and comparisons are taken to hold",
    ),
    explain(
        "several-arities",
        ("(p a) (p a b)", "(p a) (q a b)"),
        "Give the arguments that are missing, or rename one of the relations or functions.",
        SPECIFICATION,
    ),
];
