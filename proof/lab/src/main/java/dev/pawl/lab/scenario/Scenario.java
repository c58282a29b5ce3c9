package dev.pawl.lab.scenario;

import dev.pawl.lab.database.Scratch;
import java.util.List;
import java.util.Set;

/** A statement from one of the source documents, and an experiment that tests it. */
public interface Scenario {
    /** {@return its name on the command line} */
    String name();

    /** {@return the statement in a sentence or two, and how it is tested here} */
    String description();

    /** {@return the supported products; the first one is the default} */
    Set<String> products();

    /**
     * Tests the statement.
     *
     * @param scratch an empty database
     * @param scale of the run, 1 for the documentation's values; tests use less
     * @return the result
     * @throws Exception if it cannot be tested
     */
    Result run(Scratch scratch, double scale) throws Exception;

    /** {@return {@code count} at that scale, at least {@code least}} */
    static int scaled(int count, double scale, int least) {
        return Math.max(least, (int) Math.round(count * scale));
    }

    /**
     * The result, as a table.
     *
     * @param head the column headings
     * @param rows with the same number of cells each
     */
    record Result(List<String> head, List<List<String>> rows) {}

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
