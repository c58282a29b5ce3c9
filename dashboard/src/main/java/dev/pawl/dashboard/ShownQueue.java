package dev.pawl.dashboard;

import dev.pawl.JobQueue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue of a dashboard.
 *
 * @param primary for changes and samples, and to read from if there is no replica
 * @param replica to read from; null for none
 */
record ShownQueue(JobQueue primary, @Nullable JobQueue replica) {
    ShownQueue {
        Objects.requireNonNull(primary, "queue");
    }

    JobQueue toRead() {
        return replica == null ? primary : replica;
    }
}
