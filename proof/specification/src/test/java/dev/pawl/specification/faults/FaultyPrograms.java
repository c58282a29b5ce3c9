package dev.pawl.specification.faults;

import dev.pawl.specification.How;
import dev.pawl.specification.Op;
import dev.pawl.specification.Programs;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Draws programs with failing steps. */
final class FaultyPrograms {
    /** Most steps have no more commits than this. */
    private static final int MAX_COMMITS = 3;

    /** A number of conflicts in a row that exceeds the library's retries of a transaction. */
    private static final int MORE_THAN_IS_TRIED = 9;

    private FaultyPrograms() {}

    static Arbitrary<Op> step(Programs.Theme theme) {
        return Arbitraries.frequencyOf(
                Tuple.of(10, Programs.plain(theme)),
                Tuple.of(3, Programs.features(theme)),
                Tuple.of(20, failing(theme)),
                Tuple.of(1, kept(theme).map(step -> Programs.canBeTriedAgain(step) ? new Failover(step) : step)),
                Tuple.of(1, kept(theme).list().ofMinSize(1).ofMaxSize(3).map(LostSecond::new)),
                Tuple.of(1, Arbitraries.of(1, 20, 100).map(ClockBack::new)));
    }

    /**
     * Draws programs with the errors of engines.
     *
     * @param drivers of these engines
     */
    static Function<Programs.Theme, Arbitrary<Op>> answeredBy(Set<EngineError.Driver> drivers) {
        Arbitrary<EngineError> errors = Arbitraries.of(EngineError.behind(drivers));
        Arbitrary<Integer> times =
                Arbitraries.frequency(Tuple.of(12, 1), Tuple.of(4, 2), Tuple.of(2, 4), Tuple.of(1, MORE_THAN_IS_TRIED));
        Arbitrary<Boolean> either = Arbitraries.of(true, false);
        return theme -> Arbitraries.frequencyOf(
                Tuple.of(10, Programs.plain(theme)),
                Tuple.of(3, Programs.features(theme)),
                Tuple.of(
                        20,
                        Combinators.combine(
                                        kept(theme),
                                        Arbitraries.integers().between(1, 24),
                                        errors,
                                        either,
                                        times,
                                        either)
                                .as((step, call, error, tookEffect, often, again) -> new Answered(
                                        step,
                                        error.has(EngineError.Trait.ONLY_AT_COMMIT) ? 1 + call % MAX_COMMITS : call,
                                        new EngineAnswer(error, tookEffect, often),
                                        again))));
    }

    /**
     * Draws steps whose calls may fail. A step whose commit the database loses ({@link Op.Lost}) is replaced by the same step without that
     * loss. An outcome that reports an outage is replaced by a snooze, because recording the outage takes a second transaction.
     */
    private static Arbitrary<Op> kept(Programs.Theme theme) {
        List<Tuple.Tuple2<Integer, Arbitrary<Op>>> all = Programs.breakable(theme);
        int others = all.stream().mapToInt(Tuple.Tuple2::get1).sum();
        all.add(Tuple.of(
                others * (theme == Programs.Theme.ANYTHING ? 8 : 2),
                Programs.plain(Programs.Theme.ANYTHING).map(FaultyPrograms::kept)));
        return Arbitraries.frequencyOf(all);
    }

    /** Replaces a step whose calls must not fail; a filter would make shrinking a failure too slow. */
    private static Op kept(Op step) {
        if (step instanceof Op.Lost lost) {
            return kept(lost.step());
        }
        return step instanceof Op.Ends end && end.how().isOfTwo() ? new Op.Ends(end.run(), How.SNOOZE_20S) : step;
    }

    private static Arbitrary<Op> failing(Programs.Theme theme) {
        return Combinators.combine(
                        kept(theme),
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
