package dev.pawl.cli;

import dev.pawl.api.DatabaseException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Repeats idempotent reads while the database fails, up to a time limit, and reports the outage. Confined to one thread. */
final class OutageRetry {
    private static final long PAUSE_MILLIS = 1_000;

    private final long timeLimitNanos;
    private final Consumer<String> report;

    /**
     * @param timeLimit how long the database may fail in one read
     * @param report prints a line when an outage begins and when it ends
     */
    OutageRetry(Duration timeLimit, Consumer<String> report) {
        this.timeLimitNanos = timeLimit.toNanos();
        this.report = report;
    }

    /**
     * {@return the result of the read}
     *
     * @throws DatabaseException the last one, when the time limit is reached
     */
    <T> T retry(Supplier<T> read) throws InterruptedException {
        long began = System.nanoTime();
        boolean reported = false;
        while (true) {
            try {
                T answer = read.get();
                if (reported) {
                    report.accept("the database responds again");
                }
                return answer;
            } catch (DatabaseException e) {
                if (System.nanoTime() - began >= timeLimitNanos) {
                    throw e;
                }
                if (!reported) {
                    report.accept(
                            e.getMessage() + "; trying again for " + Texts.length(Duration.ofNanos(timeLimitNanos)));
                    reported = true;
                }
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }
}
