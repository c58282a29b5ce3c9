package dev.pawl.internal.wake;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Passes the news that jobs were enqueued to the workers of this process, and to other processes if the database can
 * carry it. Only a hint: workers poll anyway.
 */
public final class WakeHub implements AutoCloseable {
    private final List<Sleeper> sleepers = new CopyOnWriteArrayList<>();
    private final Messenger messenger;

    /** A worker that waits for jobs. */
    public interface Sleeper {
        /** There are jobs in this queue now. */
        void wake(String queue);

        /** A transaction of the caller has enqueued into this queue and will probably commit soon. */
        void expect(String queue);
    }

    /** Carries the news to other processes; must not block for long and must not fail. */
    public interface Messenger extends AutoCloseable {
        /** Says that there are jobs in this queue now. */
        void tell(String queue);

        /** Says so when the transaction on this connection commits, if it does. */
        void tellOnCommit(Connection connection, String queue) throws SQLException;

        /**
         * Starts to hear what other processes tell.
         *
         * @param onQueue is told the queue; must not block
         * @return to stop hearing
         */
        AutoCloseable listen(Consumer<String> onQueue);

        /** {@return how many of the pool's connections are held while somebody listens} */
        default int borrowed() {
            return 0;
        }

        @Override
        void close();
    }

    /**
     * @param messenger to other processes
     */
    public WakeHub(Messenger messenger) {
        this.messenger = messenger;
    }

    /** {@return a messenger that reaches nobody and hears nobody} */
    public static Messenger nobody() {
        return new Messenger() {
            @Override
            public void tell(String queue) {}

            @Override
            public void tellOnCommit(Connection connection, String queue) {}

            @Override
            public AutoCloseable listen(Consumer<String> onQueue) {
                return () -> {};
            }

            @Override
            public void close() {}
        };
    }

    /** Wakes this sleeper from now on. */
    public void add(Sleeper sleeper) {
        sleepers.add(sleeper);
    }

    /** Forgets it. */
    public void remove(Sleeper sleeper) {
        sleepers.remove(sleeper);
    }

    /** {@return how many it wakes} */
    public int sleepers() {
        return sleepers.size();
    }

    /** Jobs were committed. */
    public void enqueued(Set<String> queues) {
        for (String queue : queues) {
            sleepers.forEach(sleeper -> sleeper.wake(queue));
            messenger.tell(queue);
        }
    }

    /** A transaction of the caller has committed jobs that were expected. Others have been told by it, or will poll. */
    public void committed(String queue) {
        sleepers.forEach(sleeper -> sleeper.wake(queue));
    }

    /** Jobs were written in a transaction of the caller; nobody can see them yet. */
    public void expected(Connection connection, Set<String> queues) throws SQLException {
        for (String queue : queues) {
            messenger.tellOnCommit(connection, queue);
            sleepers.forEach(sleeper -> sleeper.expect(queue));
        }
    }

    /**
     * Starts to listen to other processes, if the database carries their news and the user has not switched it off.
     *
     * @param onQueue is told the queue; must not block
     * @return to stop hearing
     */
    public AutoCloseable listen(Consumer<String> onQueue) {
        return messenger.listen(onQueue);
    }

    @Override
    public void close() {
        messenger.close();
    }
}
