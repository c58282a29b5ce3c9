package dev.pawl.internal.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one connection of a pool says about all of them: they are alike, so one is asked every few seconds. Thread-safe.
 *
 * @param <T> the answer
 */
final class PoolSample<T> {
    private static final long KNOWN_NANOS = Duration.ofSeconds(5).toNanos();

    private volatile @Nullable Answer<T> last;

    private record Answer<T>(T value, long nanos) {}

    /** Asks a connection. */
    interface Question<T> {
        T ask() throws SQLException;
    }

    /** {@return the answer, from this connection if the last one is too old} */
    T value(Question<T> question) throws SQLException {
        long now = System.nanoTime();
        Answer<T> known = last;
        if (known == null || now - known.nanos > KNOWN_NANOS) {
            known = new Answer<>(question.ask(), now);
            last = known;
        }
        return known.value;
    }

    /** {@return the last answer; empty if none was asked yet} */
    Optional<T> last() {
        Answer<T> known = last;
        return known == null ? Optional.empty() : Optional.of(known.value);
    }
}
