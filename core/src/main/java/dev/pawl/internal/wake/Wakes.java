package dev.pawl.internal.wake;

import dev.pawl.internal.store.sql.Dialect;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Whether and how the news of new jobs travels between processes. */
public final class Wakes {
    private Wakes() {}

    /**
     * @param dataSource the caller's pool
     * @param dialect tells the product
     * @param notifications whether the user wants them
     * @return how a process that enqueues tells the others
     */
    public static WakeHub.Messenger messenger(DataSource dataSource, Dialect dialect, boolean notifications) {
        return notifications && dialect.product().equals("postgresql")
                ? new PostgresMessenger(dataSource, channel(dialect))
                : WakeHub.nobody();
    }

    /**
     * Starts to hear what other processes tell.
     *
     * @param dataSource the caller's pool
     * @param dialect tells the product
     * @param onQueue is told the queue
     * @return to stop hearing
     */
    public static AutoCloseable listen(DataSource dataSource, Dialect dialect, Consumer<String> onQueue) {
        if (!dialect.product().equals("postgresql")) {
            return () -> {};
        }
        PostgresListener listener = new PostgresListener(dataSource, channel(dialect), onQueue);
        listener.start();
        return listener;
    }

    private static String channel(Dialect dialect) {
        return dialect.prefix() + "jobs";
    }
}
