package dev.pawl.cli;

import dev.pawl.DatabaseException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Reads again while the database fails, for a time, and tells. For reads that may be repeated. Confined to one thread. */
final class Outage {
    private static final long PAUSE_MILLIS = 1_000;

    private final long patienceNanos;
    private final Consumer<String> tell;

    /**
     * @param patience how long a database may fail without an answer between
     * @param tell prints a line when it begins and when it is over
     */
    Outage(Duration patience, Consumer<String> tell) {
        this.patienceNanos = patience.toNanos();
        this.tell = tell;
    }

    /**
     * {@return what the read returns in the end}
     *
     * @throws DatabaseException the last one, when the patience is over
     */
    <T> T survive(Supplier<T> read) throws InterruptedException {
        long began = System.nanoTime();
        boolean told = false;
        while (true) {
            try {
                T answer = read.get();
                if (told) {
                    tell.accept("the database answers again");
                }
                return answer;
            } catch (DatabaseException e) {
                if (System.nanoTime() - began >= patienceNanos) {
                    throw e;
                }
                if (!told) {
                    tell.accept(e.getMessage() + "; trying again for " + Texts.length(Duration.ofNanos(patienceNanos)));
                    told = true;
                }
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }
}
