package dev.pawl.docs;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits that end well on a busy machine, too. */
public final class Patient {
    /** What takes longer does not happen. */
    public static final Duration LONG = Duration.ofSeconds(60);

    private Patient() {}

    /** {@return Awaitility's, which gives up after ten seconds otherwise} */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(LONG);
    }
}
