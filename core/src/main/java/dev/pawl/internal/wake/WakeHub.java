package dev.pawl.internal.wake;

import dev.pawl.internal.store.ClaimOffers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Notifies the workers of this process of enqueued jobs, and workers of other processes if the database carries notifications. A
 * notification is only a hint, because workers poll anyway.
 */
public final class WakeHub implements AutoCloseable {
    private final List<Sleeper> sleepers = new CopyOnWriteArrayList<>();
    private final Messenger messenger;
    private final ClaimOffers offers = new ClaimOffers();

    /** Sent instead of a queue's name if something else has changed. No queue has this name. */
    public static final String ANYTHING = "*";

    /** A worker that waits for jobs. */
    public interface Sleeper {
        /** Called when the queue has new jobs. */
        void wake(String queue);

        /** Called when a transaction of a program has enqueued into this queue and will probably commit soon. */
        void expect(String queue);

        /**
         * Called when a change other than new jobs may concern a suspended worker, or when notifications of other processes may be lost.
         */
        default void rouse() {}
    }

    /** Receives notifications of other processes. Must not block. */
    @FunctionalInterface
    public interface Receiver {
        /** Called when the queue has new jobs. */
        void received(String queue);

        /** Called when notifications may be lost from now on, until {@link Subscription#isConnected} is true again. */
        default void lost() {}
    }

    /** A subscription to other processes. Thread-safe. */
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        /** {@return whether notifications of other processes are known to arrive now} */
        default boolean isConnected() {
            return false;
        }

        /** Sets whether checks of the connection, which send statements, are suspended. */
        default void suspendChecks(boolean wanted) {}

        @Override
        void close();
    }

    /** Carries notifications to other processes. Must not block for long, and must not fail. */
    public interface Messenger extends AutoCloseable {
        /** Notifies other processes of jobs in this queue. */
        void publish(String queue);

        /** Notifies other processes if and when the transaction on this connection commits. */
        void publishOnCommit(Connection connection, String queue) throws SQLException;

        /**
         * Subscribes to notifications of other processes.
         *
         * @param receiver receives them
         * @return the subscription
         */
        Subscription subscribe(Receiver receiver);

        /** {@return whether {@link #publishOnCommit} is supported} */
        default boolean publishesOnCommit() {
            return true;
        }

        /** {@return whether notifications can be exchanged with other processes} */
        default boolean reachesOthers() {
            return true;
        }

        /** {@return how many connections of the pool a subscription occupies} */
        default int borrowed() {
            return 0;
        }

        @Override
        void close();
    }

    /**
     * @param messenger carries notifications to other processes
     */
    public WakeHub(Messenger messenger) {
        this.messenger = messenger;
    }

    /** {@return a messenger that reaches no other processes} */
    public static Messenger localMessenger() {
        return new Messenger() {
            @Override
            public void publish(String queue) {}

            @Override
            public void publishOnCommit(Connection connection, String queue) {}

            @Override
            public Subscription subscribe(Receiver receiver) {
                return () -> {};
            }

            @Override
            public boolean publishesOnCommit() {
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

    /** Notifies this worker from now on. */
    public void add(Sleeper sleeper) {
        sleepers.add(sleeper);
    }

    /** Ends the notifications of this worker. */
    public void remove(Sleeper sleeper) {
        sleepers.remove(sleeper);
    }

    /** {@return the idle handlers of the workers of this process} */
    public ClaimOffers offers() {
        return offers;
    }

    /** {@return the number of notified workers} */
    public int sleepers() {
        return sleepers.size();
    }

    /** Notifies workers after jobs were committed. */
    public void enqueued(Set<String> queues) {
        for (String queue : queues) {
            sleepers.forEach(sleeper -> sleeper.wake(queue));
            messenger.publish(queue);
        }
    }

    /**
     * Notifies workers after a transaction of a program has committed expected jobs. The commit itself may have
     * notified other processes.
     */
    public void committed(String queue) {
        sleepers.forEach(sleeper -> sleeper.wake(queue));
        if (!messenger.publishesOnCommit()) {
            messenger.publish(queue);
        }
    }

    /** Announces jobs that were written in a transaction of a program, and are not visible yet. */
    public void expected(Connection connection, Set<String> queues) throws SQLException {
        for (String queue : queues) {
            messenger.publishOnCommit(connection, queue);
            sleepers.forEach(sleeper -> sleeper.expect(queue));
        }
    }

    /** Notifies workers of a change that suspended workers would miss. Workers that are not suspended notice the change anyway. */
    public void changed() {
        sleepers.forEach(Sleeper::rouse);
        messenger.publish(ANYTHING);
    }

    /** {@return whether the commit of a transaction that {@link #expected} has announced causes a notification} */
    public boolean publishesOnCommit() {
        return messenger.publishesOnCommit();
    }

    /** {@return whether notifications of other processes can be received} */
    public boolean reachesOthers() {
        return messenger.reachesOthers();
    }

    /**
     * Subscribes a worker to other processes, if the database carries notifications and the user has not switched them off.
     *
     * @param sleeper the worker
     * @return the subscription
     */
    public Subscription subscribe(Sleeper sleeper) {
        return messenger.subscribe(new Receiver() {
            @Override
            public void received(String queue) {
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
