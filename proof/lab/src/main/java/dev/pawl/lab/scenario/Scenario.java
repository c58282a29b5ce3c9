package dev.pawl.lab.scenario;

import dev.pawl.lab.database.Scratch;
import java.util.List;
import java.util.Set;

/** A claim of a source, and a run that tests it. */
public interface Scenario {
    /** {@return its name on the command line} */
    String name();

    /** {@return the source's claim in a sentence or two, and how it is tested here} */
    String says();

    /** {@return the supported products; the first one is the default} */
    Set<String> products();

    /**
     * Tests the claim.
     *
     * @param scratch an empty database
     * @param scale of the run, 1 for the documentation's values; tests use less
     * @return the result
     * @throws Exception if it cannot be tested
     */
    Seen run(Scratch scratch, double scale) throws Exception;

    /** {@return {@code count} at that scale, at least {@code least}} */
    static int scaled(int count, double scale, int least) {
        return Math.max(least, (int) Math.round(count * scale));
    }

    /**
     * The result, as a table.
     *
     * @param head of the columns
     * @param rows with the same number of cells each
     */
    record Seen(List<String> head, List<List<String>> rows) {}

    /** {@return all scenarios} */
    static List<Scenario> all() {
        return List.of(
                new Herd(),
                new Surge(),
                new Pollers(),
                new BatchAtomic(),
                new TwoTables(),
                new Growth(),
                new ManagerDeath(),
                new TimeStampLock(),
                new SafetyNet(),
                new SlotRace());
    }
}
