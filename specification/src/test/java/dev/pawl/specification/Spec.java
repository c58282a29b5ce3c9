package dev.pawl.specification;

import dev.pawl.JobState;
import dev.pawl.UniqueWhile;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job as users can see it. */
final class Spec implements Cloneable {
    final long id;
    final String kind;
    String queue = "default";
    JobState state = JobState.AVAILABLE;
    int priority;
    int attempt;
    int maxAttempts = 20;
    String payload = "1";
    List<String> tags = List.of();

    @Nullable
    String key;

    @Nullable
    String unique;

    UniqueWhile scope = UniqueWhile.LIVE;

    @Nullable
    Instant uniqueUntil;

    @Nullable
    Instant expires;

    int cost = 1;
    long batch;
    /** When it may run, or when it takes its place in the line of its key. */
    Instant due;
    /** Anything between {@link #due} and this is right; the queue decides. */
    @Nullable
    Instant dueUntil;
    /** Waits for its turn among the jobs of its key. */
    boolean waitsForTurn;
    /** Waits for other nodes of its workflow. */
    boolean blocked;
    /** Its batch is paused, and a worker that came upon it has put it aside. */
    boolean putAside;
    /** A person has made it run before its turn; whether the others of its key wait for it is left open. */
    boolean outOfTurn;

    boolean cancelRequested;
    /** Waits since it was rescued. */
    boolean rescued;

    long token;
    /** Under which claim it runs: each has a number of its own here, independent of the tokens. */
    long claim;

    Instant leaseUntil = Instant.MIN;

    @Nullable
    Instant finishedAt;

    /** What its last run gave. */
    @Nullable
    Integer result;

    boolean hadResult;

    final Instant enqueued;

    Spec(long id, String kind, Instant due) {
        this.id = id;
        this.kind = kind;
        this.enqueued = due;
        this.due = due;
    }

    Spec copy() {
        try {
            return (Spec) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    boolean waits() {
        return state == JobState.AVAILABLE;
    }

    boolean runs() {
        return state == JobState.RUNNING;
    }

    boolean lives() {
        return !state.isFinished();
    }
}
