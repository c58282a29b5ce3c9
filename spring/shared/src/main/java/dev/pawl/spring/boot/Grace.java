package dev.pawl.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;

/** The grace time of handlers when the application stops. The default is shorter than Spring's timeout for a shutdown phase. */
final class Grace {
    private static final Logger LOG = LoggerFactory.getLogger(Grace.class);

    /** The time that a worker needs to put interrupted jobs back, with a margin. */
    private static final Duration REST = Duration.ofSeconds(5);

    private static final Duration LONGEST = Duration.ofDays(1);

    private Grace() {}

    static Duration of(@Nullable Duration wanted, Environment environment) {
        String text = environment.getProperty("spring.lifecycle.timeout-per-shutdown-phase", "30s");
        Duration phase = DurationStyle.detectAndParse(text);
        if (wanted == null) {
            Duration half = phase.dividedBy(2);
            Duration most = phase.minus(REST);
            Duration grace = most.compareTo(half) > 0 ? most : half;
            return grace.compareTo(LONGEST) > 0 ? LONGEST : grace;
        }
        if (wanted.compareTo(phase) >= 0) {
            LOG.warn(
                    "pawl.worker.shutdown-timeout ({}) is not shorter than spring.lifecycle.timeout-per-shutdown-phase ({}): Spring"
                            + " closes the pool while jobs still run; make one of them shorter or the other longer",
                    wanted,
                    phase);
        }
        return wanted;
    }
}
