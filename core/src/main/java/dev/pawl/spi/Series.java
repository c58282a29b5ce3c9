package dev.pawl.spi;

import dev.pawl.api.DatabaseException;
import java.time.Duration;
import java.util.List;

/**
 * Samples of the queues over time. One of all processes that need samples (a dashboard, alerts) takes one every ten
 * seconds; without such a process nothing is written. Samples are kept for three hours, and one of every five minutes
 * for eight days. Get it from {@code queue.unwrap(Series.class)}. Thread-safe. Every method throws {@link DatabaseException} if the
 * database fails.
 */
public interface Series {
    /** The interval between samples, which is longer if counting takes long. */
    Duration STEP = Duration.ofSeconds(10);

    /** How long every sample is kept. Of older samples, one for every five minutes is kept. */
    Duration FINE = Duration.ofHours(3);

    /** How long the samples for every five minutes are kept. */
    Duration KEPT = Duration.ofDays(8);

    /**
     * Takes a sample if one is due, and if this process is the leader, or becomes it because no other process has called this for half a
     * minute.
     *
     * @param owner a unique name of this process, at most 100 characters
     * @return whether a sample was taken
     */
    boolean take(String owner);

    /**
     * Reads the latest samples.
     *
     * @param length how far back to read; up to {@link #FINE} returns all samples of that time, a longer one returns one for every five
     *     minutes
     * @return the samples, oldest first
     */
    List<Sample> last(Duration length);
}
