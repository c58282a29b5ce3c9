package dev.pawl.conformance.schedule;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs one of several threads at a time, from one database call to the next. A call that waits for another thread's lock does not return.
 * Then other threads run, and the waiting thread can be chosen again when its call has returned.
 */
final class Scheduler {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Choice choice;
    private final Waits waits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Actor> actors = new ArrayList<>();
    private final Trace trace = new Trace();
    private int blocked;

    Scheduler(Choice choice, Waits waits) {
        this.choice = choice;
        this.waits = waits;
    }

    private enum State {
        /** Before a call, or after a call that had to wait: goes on when it is chosen. */
        PARKED,
        GOING,
        /** Waits for a lock of another actor. */
        BLOCKED,
        ENDED
    }

    /** The work of an actor. */
    interface Work {
        void run(Gate gate) throws Exception;
    }

    /** Adds an actor that starts when {@link #run} is called. */
    void add(String name, Work work) {
        actors.add(new Actor(name, work));
    }

    /**
     * Runs all actors to their ends.
     *
     * @return the exceptions, with the names of their actors; empty if there were none
     */
    List<String> run() throws InterruptedException, SQLException {
        actors.forEach(actor -> actor.thread.start());
        @Nullable Actor last = null;
        while (true) {
            Actor next = next(last);
            if (next == null) {
                break;
            }
            last = next;
            watch(next);
        }
        for (Actor actor : actors) {
            actor.thread.join();
        }
        return actors.stream()
                .filter(actor -> actor.failure != null)
                .map(actor -> actor.name + " failed: " + actor.failure)
                .toList();
    }

    String trace() {
        lock.lock();
        try {
            return trace.toString();
        } finally {
            lock.unlock();
        }
    }

    /** {@return the next actor, which runs already; null if all have ended} */
    private @Nullable Actor next(@Nullable Actor last) throws InterruptedException, SQLException {
        awaitQuiet();
        lock.lock();
        try {
            long deadline = System.nanoTime() + STUCK_NANOS;
            List<Actor> ready = in(State.PARKED);
            while (ready.isEmpty()) {
                if (in(State.ENDED).size() == actors.size()) {
                    return null;
                }
                // not reached as a rule, because the database breaks a deadlock, and lock waits time out
                stuckAfter(deadline);
                changed.awaitNanos(POLL_NANOS);
                ready = in(State.PARKED);
            }
            boolean mayStay = last != null && ready.contains(last) && !last.isPreempted && !last.isRefused;
            Actor next = mayStay && last != null ? last : another(ready, last);
            next.isPreempted = false;
            next.isRefused = false;
            next.go();
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Chooses by several criteria; each is dropped if no actor meets it. */
    private Actor another(List<Actor> ready, @Nullable Actor last) {
        List<Actor> some = preferably(
                ready, actor -> !actor.isRefused); // a refused actor would retry without success until it gives up
        some = preferably(some, actor -> actor != last);
        return choice.among(preferably(some, actor -> !actor.isPreempted || !choice.isLong()));
    }

    private static List<Actor> preferably(List<Actor> some, Predicate<Actor> wish) {
        List<Actor> found = some.stream().filter(wish).toList();
        return found.isEmpty() ? some : found;
    }

    private List<Actor> in(State state) {
        List<Actor> found = new ArrayList<>();
        actors.forEach(actor -> {
            if (actor.state == state) {
                found.add(actor);
            }
        });
        return found;
    }

    /** Waits until each actor that no longer waits for a lock has reached its next stop. Then an actor can be chosen. */
    private void awaitQuiet() throws InterruptedException, SQLException {
        long deadline = System.nanoTime() + STUCK_NANOS;
        for (Actor actor : actors) {
            while (!isQuiet(actor)) {
                lock.lock();
                try {
                    if (actor.state == State.BLOCKED || actor.state == State.GOING) {
                        stuckAfter(deadline);
                        changed.awaitNanos(POLL_NANOS);
                    }
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    private boolean isQuiet(Actor actor) throws SQLException {
        return switch (actor.state()) {
            case PARKED, ENDED -> true;
            case GOING -> false; // up to its first stop
            case BLOCKED -> isWaiting(actor);
        };
    }

    /** Waits until the actor stops, or waits for a lock. */
    private void watch(Actor actor) throws InterruptedException, SQLException {
        long deadline = System.nanoTime() + STUCK_NANOS;
        int seen = -1;
        while (true) {
            boolean isSlow;
            lock.lock();
            try {
                if (actor.state != State.GOING) {
                    return;
                }
                changed.awaitNanos(POLL_NANOS);
                if (actor.state != State.GOING) {
                    return;
                }
                isSlow = seen == actor.steps;
                if (!isSlow) {
                    deadline = System.nanoTime() + STUCK_NANOS;
                }
                seen = actor.steps;
                stuckAfter(deadline);
            } finally {
                lock.unlock();
            }
            if (isSlow && isWaiting(actor)) {
                lock.lock();
                try {
                    if (actor.state == State.GOING && actor.steps == seen) {
                        actor.state = State.BLOCKED;
                        blocked++;
                    }
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    private boolean isWaiting(Actor actor) throws SQLException {
        Connection connection = actor.connection;
        return connection != null && waits.isWaiting(connection);
    }

    private void stuckAfter(long deadline) {
        if (System.nanoTime() - deadline > 0) {
            StringBuilder where = new StringBuilder("nobody can go on");
            actors.forEach(
                    actor -> where.append('\n').append(actor.name).append(' ').append(actor.state));
            throw new IllegalStateException(where + "\n" + trace);
        }
    }

    /** A thread that runs when it is chosen. */
    private final class Actor implements Gate {
        private final String name;
        private final Work work;
        private final Thread thread;
        private final Condition turn = lock.newCondition();
        private State state = State.GOING;
        private boolean isPreempted;
        /** Other actors blocked the last try of this actor, and none of them has ended a transaction since. */
        private boolean isRefused;

        private boolean isEnd;
        private int steps;
        private volatile @Nullable Connection connection;
        private @Nullable Throwable failure;

        Actor(String name, Work work) {
            this.name = name;
            this.work = work;
            this.thread = new Thread(this::live, name);
            this.thread.setDaemon(true);
        }

        State state() {
            lock.lock();
            try {
                return state;
            } finally {
                lock.unlock();
            }
        }

        private void live() {
            lock.lock();
            try {
                park();
            } finally {
                lock.unlock();
            }
            try {
                work.run(this);
            } catch (Exception | AssertionError e) {
                failure = e;
            } finally {
                lock.lock();
                try {
                    leave(State.ENDED);
                } finally {
                    lock.unlock();
                }
            }
        }

        private void go() {
            state = State.GOING;
            turn.signal();
        }

        private void leave(State next) {
            if (state == State.BLOCKED) {
                blocked--;
            }
            state = next;
            changed.signal();
        }

        private void park() {
            leave(State.PARKED);
            while (state == State.PARKED) {
                turn.awaitUninterruptibly();
            }
        }

        @Override
        public void before(Connection on, String call) {
            lock.lock();
            try {
                connection = on;
                steps++;
                isPreempted |= state == State.GOING && choice.preempts(call);
                // Without one of these reasons, the scheduler would choose this actor again, so it goes on.
                if (isPreempted || isRefused || blocked > 0 || state != State.GOING) {
                    park();
                }
                trace.add(name, call);
                isEnd = call.equals("commit") || call.equals("rollback");
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void after(String outcome, boolean isContention) {
            lock.lock();
            try {
                steps++;
                connection = null;
                trace.outcome(name, outcome);
                if (isEnd) {
                    actors.forEach(actor -> actor.isRefused = false);
                }
                isRefused = isContention;
                if (state == State.BLOCKED) {
                    park();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
