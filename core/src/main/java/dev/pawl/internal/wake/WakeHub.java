package dev.pawl.internal.wake;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Passes the news that jobs were enqueued to the workers of this process, and to other processes if the database can
 * carry it. Only a hint: workers poll anyway.
 */
public final class WakeHub implements AutoCloseable {
    private final List<Sleeper> sleepers = new CopyOnWriteArrayList<>();
    private final Messenger messenger;

    /** Instead of a queue: something else has changed. No queue has this name. */
    public static final String ANYTHING = "*";

    /** A worker that waits for jobs. */
    public interface Sleeper {
        /** There are jobs in this queue now. */
        void wake(String queue);

        /** A transaction of the caller has enqueued into this queue and will probably commit soon. */
        void expect(String queue);

        /** Something else has changed that a worker which sleeps may have to know, or it has become deaf. */
        default void rouse() {}
    }

    /** What a worker hears of other processes. Must not block. */
    @FunctionalInterface
    public interface Ear {
        /** There are jobs in this queue now. */
        void heard(String queue);

        /** From now on news may be missed, until {@link Listening#hears} again. */
        default void lost() {}
    }

    /** Somebody listens. Thread-safe. */
    @FunctionalInterface
    public interface Listening extends AutoCloseable {
        /** {@return whether it is known that news of other processes arrives at present} */
        default boolean hears() {
            return false;
        }

        /** Whether nothing may be sent to the server to find out whether the connection is well. */
        default void silent(boolean wanted) {}

        @Override
        void close();
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
         * @param ear is told
         * @return to stop hearing
         */
        Listening listen(Ear ear);

        /** {@return whether {@link #tellOnCommit} does so} */
        default boolean tellsOnCommit() {
            return true;
        }

        /** {@return whether other processes can be told, and heard, at all} */
        default boolean reachesOthers() {
            return true;
        }

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
            public Listening listen(Ear ear) {
                return () -> {};
            }

            @Override
            public boolean tellsOnCommit() {
                return false;
            }

            @Override
            public boolean reachesOthers() {
                return false;
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

    /** A transaction of the caller has committed jobs that were expected; others may have heard of that by itself. */
    public void committed(String queue) {
        sleepers.forEach(sleeper -> sleeper.wake(queue));
        if (!messenger.tellsOnCommit()) {
            messenger.tell(queue);
        }
    }

    /** Jobs were written in a transaction of the caller; nobody can see them yet. */
    public void expected(Connection connection, Set<String> queues) throws SQLException {
        for (String queue : queues) {
            messenger.tellOnCommit(connection, queue);
            sleepers.forEach(sleeper -> sleeper.expect(queue));
        }
    }

    /** Something has changed by which a worker that sleeps might have something to do. Those that are awake see it anyway. */
    public void changed() {
        sleepers.forEach(Sleeper::rouse);
        messenger.tell(ANYTHING);
    }

    /** {@return whether more is heard of a transaction that is expected to commit} */
    public boolean tellsOnCommit() {
        return messenger.tellsOnCommit();
    }

    /** {@return whether news of other processes can be heard} */
    public boolean reachesOthers() {
        return messenger.reachesOthers();
    }

    /**
     * Starts to listen to other processes, if the database carries their news and the user has not switched it off.
     *
     * @param sleeper is told
     * @return to stop hearing
     */
    public Listening listen(Sleeper sleeper) {
        return messenger.listen(new Ear() {
            @Override
            public void heard(String queue) {
                if (queue.equals(ANYTHING)) {
                    sleeper.rouse();
                } else {
                    sleeper.wake(queue);
                }
            }

            @Override
            public void lost() {
                sleeper.rouse();
            }
        });
    }

    @Override
    public void close() {
        messenger.close();
    }
}
