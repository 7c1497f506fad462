//! The Game of Chicken of the paper: two drivers on a collision course have one second to swerve.
//!
//! # Sources
//! J. Kowalski and A. Kisielewicz, Towards a Real-time Game Description Language, ICAART 2016, section 4: the rules, with
//! the values 0 after a crash, 80 for who swerves alone, 100 for the other, and 90 if both swerve.

/// The rules in prefix syntax.
pub const PREFIX: &str = "\
(role white)
(role black)
(init infinity (dir white straight))
(init infinity (dir black straight))
(init 1.0 timer)
(<= (next ?t timer) (true ?t timer))
(<= (next infinity (dir ?r swerve)) (does ?r swerve))
(<= (next ?t (dir ?r ?d)) (true ?t (dir ?r ?d)) (not (does ?r swerve)))
(<= (legal ?r swerve) (true ?t (dir ?r straight)))
(<= terminal (expired timer))
(<= (goal ?r 0) (true ?t (dir ?r straight)) (true ?s (dir ?p straight)) (distinct ?r ?p))
(<= (goal ?r 80) (true ?t (dir ?r swerve)) (true ?s (dir ?p straight)))
(<= (goal ?r 90) (true ?t (dir ?r swerve)) (true ?s (dir ?p swerve)) (distinct ?r ?p))
(<= (goal ?p 100) (true ?t (dir ?r swerve)) (true ?s (dir ?p straight)))
";

/// The rules in infix syntax.
pub const INFIX: &str = "\
role(white). role(black).
init(infinity, dir(white, straight)).
init(infinity, dir(black, straight)).
init(1.0, timer).

next(T, timer) :- true(T, timer).
next(infinity, dir(R, swerve)) :-
    does(R, swerve).
next(T, dir(R, D)) :- true(T, dir(R, D)),
    not does(R, swerve).
legal(R, swerve) :-
    true(T, dir(R, straight)).

terminal :- expired(timer).
goal(R, 0) :- true(T, dir(R, straight)),
    true(S, dir(P, straight)),
    distinct(R, P).
goal(R, 80) :- true(T, dir(R, swerve)),
    true(S, dir(P, straight)).
goal(R, 90) :- true(T, dir(R, swerve)),
    true(S, dir(P, swerve)),
    distinct(R, P).
goal(P, 100) :- true(T, dir(R, swerve)),
    true(S, dir(P, straight)).
";
