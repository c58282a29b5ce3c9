package dev.pawl.spi;

import dev.pawl.api.DatabaseException;
import java.time.Duration;
import java.util.List;

/**
 * Samples of the queues over time. One of the processes that need samples (dashboards, alerts) takes a sample every ten seconds. Without
 * such a process nothing is written. Every sample is kept for three hours, and one for every five minutes is kept for eight days. Get it
 * from {@code queue.unwrap(Series.class)}. Thread-safe. Every method throws {@link DatabaseException} if the database fails.
 */
public interface Series {
    /** The interval between samples, which is longer if counting takes long. */
    Duration STEP = Duration.ofSeconds(10);

    /** How long every sample is kept. Of older samples, one for every five minutes is kept. */
    Duration FINE = Duration.ofHours(3);

    /** How long the samples for every five minutes are kept. */
    Duration KEPT = Duration.ofDays(8);

    /**
     * Takes a sample if one is due and this process is the leader of the sampling. It becomes the leader if no other process has called
     * this for half a minute.
     *
     * @param owner a unique name of this process, at most 100 characters
     * @return whether a sample was taken
     */
    boolean take(String owner);

    /**
     * Reads the latest samples.
     *
     * @param length how far back to read. If it is at most {@link #FINE}, all samples are returned, otherwise one for every five minutes
     * @return the samples, oldest first
     */
    List<Sample> last(Duration length);
}
