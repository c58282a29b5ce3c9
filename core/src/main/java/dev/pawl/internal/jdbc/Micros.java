package dev.pawl.internal.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Durations and moments as the microseconds that statements take. */
public final class Micros {
    private Micros() {}

    /** {@return the duration in microseconds, rounded down} */
    public static long of(Duration duration) {
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1_000);
    }

    /** {@return the microseconds since 1970} */
    public static long of(Instant moment) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
    }
}
