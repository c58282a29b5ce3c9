package dev.pawl.specification;

import dev.pawl.api.Strategy;
import dev.pawl.specification.Program.Failure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.sessions.JqwikSession;

/** Runs many random programs on one database, and shrinks the first that fails. */
public final class Search {
    /** The average number of steps of a program, and half of the maximum. */
    static final int STEPS = 30;

    private static final int DRAWN = 20;

    /** The longest time for shrinking a failure. The system property gives it in seconds. */
    private static final long LONGEST_SHRINK = TimeUnit.SECONDS.toNanos(Long.getLong("pawl.program.shrink", 60));

    /** One in this many programs ends with {@link Remains}. */
    private static final int REMAINS = 4;

    private final Stage stage;
    private final Function<Programs.Theme, Arbitrary<Op>> drawn;
    private final boolean checksRemains;
    private long ran;
    private long steps;

    Search(Stage stage) {
        this(stage, Programs::step, true);
    }

    /**
     * @param stage where the programs run
     * @param drawn the generator of their steps
     */
    public Search(Stage stage, Function<Programs.Theme, Arbitrary<Op>> drawn) {
        this(stage, drawn, false);
    }

    private Search(Stage stage, Function<Programs.Theme, Arbitrary<Op>> drawn, boolean checksRemains) {
        this.checksRemains = checksRemains;
        this.stage = stage;
        this.drawn = drawn;
    }

    /**
     * A failure.
     *
     * @param seed of the program
     * @param programs how many had run by then
     * @param smallest the shrunk program
     */
    public record Found(long seed, long programs, Failure smallest) {
        @Override
        public String toString() {
            return "seed " + seed + ", " + smallest;
        }
    }

    public Optional<Found> run(long firstSeed, long programs, long deadlineNanos) {
        return run(firstSeed, programs, deadlineNanos, failure -> true);
    }

    /**
     * {@return the first wanted failure} The first program has the first seed, and each further program has the next number as its seed.
     */
    public Optional<Found> run(long firstSeed, long programs, long deadlineNanos, Predicate<Failure> isWanted) {
        Found found = null;
        for (long from = 0; from < programs && found == null && System.nanoTime() - deadlineNanos < 0; from += DRAWN) {
            List<Drawn> drawn = drawn(firstSeed + from, Math.min(DRAWN, programs - from));
            for (int i = 0; i < drawn.size() && found == null && System.nanoTime() - deadlineNanos < 0; i++) {
                long seed = firstSeed + from + i;
                Strategy strategy = seed % 2 == 0 ? Strategy.LANES : Strategy.ROWS;
                Optional<Failure> failure = new Program(strategy, drawn.get(i).values).run(stage);
                ran++;
                steps += drawn.get(i).values.size();
                if (failure.isPresent() && isWanted.test(failure.get())) {
                    Shrinking shrinking = new Shrinking(strategy, drawn.get(i).steps, failure.get());
                    JqwikSession.run(shrinking::run);
                    found = new Found(seed, from + i + 1, shrinking.failure);
                }
            }
        }
        return Optional.ofNullable(found);
    }

    /** A program, and how to shrink it, which works only within a session of jqwik. */
    private record Drawn(List<Shrinkable<Op>> steps, List<Op> values) {}

    /** Draws several programs at once, because other threads wait during a session. */
    private List<Drawn> drawn(long firstSeed, long programs) {
        List<Drawn> all = new ArrayList<>();
        JqwikSession.run(() -> {
            Map<Programs.Theme, RandomGenerator<Op>> generators = new EnumMap<>(Programs.Theme.class);
            for (long i = 0; i < programs; i++) {
                RandomGenerator<Op> generator = generators.computeIfAbsent(
                        Programs.Theme.of(firstSeed + i),
                        theme -> drawn.apply(theme).generator(1_000));
                List<Shrinkable<Op>> program = drawn(generator, new Random(firstSeed + i));
                all.add(new Drawn(
                        program, program.stream().map(Shrinkable::value).toList()));
            }
        });
        return all;
    }

    /** {@return how many programs have run} */
    public long programs() {
        return ran;
    }

    /** {@return how many steps these programs had} */
    public long steps() {
        return steps;
    }

    private List<Shrinkable<Op>> drawn(RandomGenerator<Op> generator, Random random) {
        int steps = 1 + random.nextInt(2 * STEPS);
        List<Shrinkable<Op>> drawn = new ArrayList<>(steps);
        for (int i = 0; i < steps; i++) {
            drawn.add(generator.next(random));
        }
        if (checksRemains && random.nextInt(REMAINS) == 0) {
            drawn.add(Shrinkable.unshrinkable(new Remains()));
        }
        return drawn;
    }

    private static Program program(Strategy strategy, List<Shrinkable<Op>> steps) {
        return new Program(strategy, steps.stream().map(Shrinkable::value).toList());
    }

    /**
     * Removes steps that the failure does not need, many at once at first, and then shrinks each remaining step. Repeats both until neither
     * helps.
     */
    private final class Shrinking {
        private final Strategy strategy;
        private final long deadline = System.nanoTime() + LONGEST_SHRINK;
        private List<Shrinkable<Op>> steps;
        private Failure failure;

        Shrinking(Strategy strategy, List<Shrinkable<Op>> steps, Failure first) {
            this.strategy = strategy;
            this.steps = steps.subList(0, first.step());
            this.failure = first;
        }

        void run() {
            boolean smaller = true;
            while (smaller) {
                smaller = false;
                for (int length = Math.max(1, steps.size() / 2); length >= 1; length /= 2) {
                    smaller |= without(length);
                }
                for (int i = 0; i < steps.size(); i++) {
                    smaller |= smallerStep(i);
                }
            }
        }

        private boolean without(int length) {
            boolean any = false;
            for (int from = steps.size() - length; from >= 0; from--) {
                List<Shrinkable<Op>> fewer = new ArrayList<>(steps);
                fewer.subList(from, from + length).clear();
                if (fails(fewer)) {
                    any = true;
                    from = Math.min(from, steps.size() - length + 1);
                }
            }
            return any;
        }

        private boolean smallerStep(int place) {
            boolean any = false;
            boolean again = true;
            while (again && place < steps.size()) {
                again = false;
                Iterator<Shrinkable<Op>> candidates = steps.get(place).shrink().iterator();
                while (!again && System.nanoTime() - deadline < 0 && candidates.hasNext()) {
                    List<Shrinkable<Op>> simpler = new ArrayList<>(steps);
                    simpler.set(place, candidates.next());
                    again = fails(simpler);
                    any |= again;
                }
            }
            return any;
        }

        private boolean fails(List<Shrinkable<Op>> smaller) {
            if (smaller.isEmpty() || System.nanoTime() - deadline >= 0) {
                return false;
            }
            Optional<Failure> found = program(strategy, smaller)
                    .run(stage)
                    // shrinking must not end at a different failure
                    .filter(other -> other.sort().equals(failure.sort()));
            if (found.isPresent()) {
                failure = found.get();
                steps = smaller.subList(0, failure.step());
            }
            return found.isPresent();
        }
    }
}
