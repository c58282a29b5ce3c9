package dev.pawl.internal.jdbc;

import java.time.Duration;
import java.time.Instant;

/** Converts durations and moments to microseconds, the unit of the SQL statements. */
public final class Micros {
    private Micros() {}

    /** {@return the duration in microseconds, rounded down} */
    public static long of(Duration duration) {
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1_000);
    }

    /** {@return the duration in microseconds, rounded up, so that a positive one does not become zero} */
    public static long atLeast(Duration duration) {
        return of(duration.plusNanos(999));
    }

    /** {@return the microseconds since 1970} */
    public static long of(Instant moment) {
        // not ChronoUnit.MICROS.between, which counts nanoseconds and overflows in the year 2262
        return Math.addExact(Math.multiplyExact(moment.getEpochSecond(), 1_000_000L), moment.getNano() / 1_000);
    }
}
