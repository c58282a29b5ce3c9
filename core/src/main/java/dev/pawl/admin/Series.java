package dev.pawl.admin;

import dev.pawl.DatabaseException;
import java.time.Duration;
import java.util.List;

/**
 * How queues have been lately. One process of all takes a sample every ten seconds: one that shows it (a dashboard) or watches it
 * (alerts). Where there is none, nothing is written. Samples are kept for three hours, and one of each five minutes for eight days.
 * Thread-safe. Every method throws {@link DatabaseException} if the database fails.
 */
public interface Series {
    /** How far apart samples are; farther where counting takes long. */
    Duration STEP = Duration.ofSeconds(10);

    /** How long all samples are kept; of older ones, one of each five minutes. */
    Duration FINE = Duration.ofHours(3);

    /** How long those are kept. */
    Duration KEPT = Duration.ofDays(8);

    /**
     * Takes a sample, if this process is the one that does, or nobody else has done so for half a minute, and if it is time.
     *
     * @param owner of this process, unlike all others, at most 100 characters
     * @return whether a sample was taken
     */
    boolean take(String owner);

    /**
     * @param length how far to look back: up to {@link #FINE} all samples, beyond that one of each five minutes
     * @return the samples, the oldest first
     */
    List<Sample> last(Duration length);
}
