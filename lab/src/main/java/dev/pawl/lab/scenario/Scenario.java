package dev.pawl.lab.scenario;

import dev.pawl.lab.database.Scratch;
import java.util.List;
import java.util.Set;

/** One thing that a source says, and the run that shows whether it is so. */
public interface Scenario {
    /** {@return its name on the command line} */
    String name();

    /** {@return what the source says, in a sentence or two, and what is done here to see it} */
    String says();

    /** {@return the products that it can be shown on; the first one is the default} */
    Set<String> products();

    /**
     * Shows it.
     *
     * @param scratch an empty database
     * @param scale how much of it, 1 for what the documentation prints; tests take less
     * @return what was seen
     * @throws Exception if it cannot be shown
     */
    Seen run(Scratch scratch, double scale) throws Exception;

    /** {@return {@code count} at that scale, at least {@code least}} */
    static int scaled(int count, double scale, int least) {
        return Math.max(least, (int) Math.round(count * scale));
    }

    /**
     * What was seen, as a table.
     *
     * @param head of the columns
     * @param rows as many cells each
     */
    record Seen(List<String> head, List<List<String>> rows) {}

    /** {@return all of them} */
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
