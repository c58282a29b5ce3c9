package dev.pawl.specification.faults;

import dev.pawl.specification.How;
import dev.pawl.specification.Op;
import dev.pawl.specification.Programs;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Draws programs with failing steps. */
final class FaultyPrograms {
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

    /** A lost commit cannot be lost again, and an outcome that reports an outage takes two transactions. */
    private static Arbitrary<Op> kept(Programs.Theme theme) {
        List<Tuple.Tuple2<Integer, Arbitrary<Op>>> all = Programs.breakable(theme);
        int others = all.stream().mapToInt(Tuple.Tuple2::get1).sum();
        all.add(Tuple.of(
                others * (theme == Programs.Theme.ANYTHING ? 8 : 2),
                Programs.plain(Programs.Theme.ANYTHING).map(FaultyPrograms::kept)));
        return Arbitraries.frequencyOf(all);
    }

    /** A filter would make shrinking a failure too slow. */
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
