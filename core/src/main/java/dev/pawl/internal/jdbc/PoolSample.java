package dev.pawl.internal.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A property of a pool that is read from one of its connections every few seconds, because all connections are alike. Thread-safe.
 *
 * @param <T> the property
 */
final class PoolSample<T> {
    private static final long KNOWN_NANOS = Duration.ofSeconds(5).toNanos();

    private volatile @Nullable Answer<T> last;

    private record Answer<T>(T value, long nanos) {}

    /** Reads the property from a connection. */
    interface Question<T> {
        T ask() throws SQLException;
    }

    /** {@return the property, read from this connection if the last value is too old} */
    T value(Question<T> question) throws SQLException {
        long now = System.nanoTime();
        Answer<T> known = last;
        if (known == null || now - known.nanos > KNOWN_NANOS) {
            known = new Answer<>(question.ask(), now);
            last = known;
        }
        return known.value;
    }

    /** {@return the last value; empty before the first read} */
    Optional<T> last() {
        Answer<T> known = last;
        return known == null ? Optional.empty() : Optional.of(known.value);
    }
}
