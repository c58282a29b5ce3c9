package dev.pawl.metrics;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits with timeouts that suffice on a busy machine. */
public final class Patient {
    /** Events that take longer count as missing. */
    public static final Duration LONG = Duration.ofSeconds(60);

    private Patient() {}

    /** {@return Awaitility with this timeout instead of its default of ten seconds} */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(LONG);
    }
}
