//! Small games that several explanations share: rules without the finding that is explained.

/// Alice waves once.
pub(super) const WAVE: &str = "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))";

/// Alice shows one of two cards.
pub(super) const SHOW: &str = "\
(role alice)
(card king)
(card queen)
(init ready)
(<= (legal alice (show ?card)) (card ?card) (true ready))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)";

/// Alice waves once, and Bob has nothing to do.
pub(super) const WAVE_BESIDE: &str = "\
(role alice)
(role bob)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal bob noop) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(goal alice 100)
(goal bob 0)";

/// Alice waves once, and a relation says that it is over.
pub(super) const WAVE_OVER: &str = "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= over (true waved))
(<= terminal over)
(goal alice 100)";

/// Alice waves before a timer ends, in real time.
pub(super) const WAVE_TIMED: &str = "\
(role alice)
(init 2.0 timer)
(<= (legal alice wave) (true ?t timer))
(<= (next ?t timer) (true ?t timer) (does alice wave))
(<= terminal (expired timer))
(goal alice 100)";
