package dev.pawl.cli;

import dev.pawl.api.DatabaseException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Repeats reads while the database fails, up to a time limit, and reports the outage. For idempotent reads. Confined to one thread. */
final class OutageRetry {
    private static final long PAUSE_MILLIS = 1_000;

    private final long patienceNanos;
    private final Consumer<String> report;

    /**
     * @param patience how long the database may fail without one successful read
     * @param report prints a line when an outage begins and when it ends
     */
    OutageRetry(Duration patience, Consumer<String> report) {
        this.patienceNanos = patience.toNanos();
        this.report = report;
    }

    /**
     * {@return the result of the read}
     *
     * @throws DatabaseException the last one, when the time limit is reached
     */
    <T> T survive(Supplier<T> read) throws InterruptedException {
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
                if (System.nanoTime() - began >= patienceNanos) {
                    throw e;
                }
                if (!reported) {
                    report.accept(
                            e.getMessage() + "; trying again for " + Texts.length(Duration.ofNanos(patienceNanos)));
                    reported = true;
                }
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }
}
