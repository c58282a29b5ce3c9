package dev.pawl.specification.faults;

import dev.pawl.specification.Op;
import dev.pawl.specification.Programs;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Draws programs of which steps fail. */
final class FaultyPrograms {
    private FaultyPrograms() {}

    /** A connection of the caller is the caller's to close, so a transaction is no step of a failover. */
    static Arbitrary<Op> step(Programs.Theme theme) {
        return Arbitraries.frequencyOf(
                Tuple.of(10, Programs.plain(theme)),
                Tuple.of(3, Programs.features(theme)),
                Tuple.of(20, failing()),
                Tuple.of(
                        1,
                        kept().filter(step -> !(step instanceof Op.Transaction)).map(Failover::new)),
                Tuple.of(1, kept().list().ofMinSize(1).ofMaxSize(3).map(LostSecond::new)),
                Tuple.of(1, Arbitraries.of(1, 20, 100).map(ClockBack::new)));
    }

    /** What is lost cannot be lost again, and an outcome that says what is unavailable takes two transactions. */
    private static Arbitrary<Op> kept() {
        return Programs.plain(Programs.Theme.ANYTHING)
                .filter(step -> !(step instanceof Op.Lost)
                        && !(step instanceof Op.Ends end && end.how().isOfTwo()));
    }

    private static Arbitrary<Op> failing() {
        return Combinators.combine(
                        kept(),
                        Arbitraries.integers().between(1, 24),
                        Arbitraries.frequency(
                                Tuple.of(3, Fault.BEFORE),
                                Tuple.of(5, Fault.AFTER),
                                Tuple.of(2, Fault.CONFLICT),
                                Tuple.of(2, Fault.FULL),
                                Tuple.of(2, Fault.DEATH_BEFORE),
                                Tuple.of(2, Fault.DEATH_AFTER)),
                        Arbitraries.of(true, false))
                .as(Failing::new);
    }
}
