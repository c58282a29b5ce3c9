package dev.pawl.internal.feature;

import static dev.pawl.admin.DisplayState.AVAILABLE;
import static dev.pawl.admin.DisplayState.BLOCKED;
import static dev.pawl.admin.DisplayState.CANCELLED;
import static dev.pawl.admin.DisplayState.COMPLETED;
import static dev.pawl.admin.DisplayState.DISCARDED;
import static dev.pawl.admin.DisplayState.PAUSED;
import static dev.pawl.admin.DisplayState.PENDING;
import static dev.pawl.admin.DisplayState.RETRYABLE;
import static dev.pawl.admin.DisplayState.RUNNING;
import static dev.pawl.admin.DisplayState.SCHEDULED;

import dev.pawl.admin.DisplayState;
import java.util.EnumSet;
import java.util.Set;

/**
 * Every operation that writes, changes or takes away a job. Each {@link Feature} decides what it does in each transition, by a switch over
 * all, so a new transition does not compile until every feature has decided. There is no transition for a scheduled job whose time comes,
 * because nothing is written then.
 */
public enum Transition {
    /** A program enqueues a job. */
    ENQUEUE(
            "a program enqueues a job",
            none(),
            EnumSet.of(AVAILABLE, SCHEDULED, BLOCKED, PENDING, PAUSED),
            WithoutRow.STAYS),
    /** A program replaces a waiting job with the same unique key. */
    REPLACE("a program replaces a waiting job with the same unique key", anyDue(), anyDue(), WithoutRow.NEVER),
    /** A program merges a job into a waiting one with the same unique key. */
    MERGE("a program merges a job into a waiting one with the same unique key", anyDue(), anyDue(), WithoutRow.NEVER),
    /** A concurrency key releases the next of its jobs. */
    UNBLOCK("a concurrency key releases a job", Set.of(BLOCKED), anyDue(), WithoutRow.NEVER),
    /** The jobs before a node of a workflow have finished. */
    START_NODE(
            "the jobs before a node of a workflow have finished",
            Set.of(PENDING),
            EnumSet.of(AVAILABLE, SCHEDULED, BLOCKED),
            WithoutRow.NEVER),
    /** A worker pauses a claimed job whose batch is paused. */
    PAUSE("a worker pauses a claimed job whose batch is paused", Set.of(RUNNING), Set.of(PAUSED), WithoutRow.GETS_ROW),
    /** A batch is resumed, or its first jobs have completed. */
    RESUME(
            "a batch is resumed, or its first jobs have completed",
            Set.of(PAUSED),
            EnumSet.of(AVAILABLE, SCHEDULED, RETRYABLE, BLOCKED),
            WithoutRow.NEVER),

    /** A worker claims a job under a lease. */
    CLAIM("a worker claims a job under a lease", Set.of(AVAILABLE), Set.of(RUNNING), WithoutRow.STAYS),
    /** A worker begins to run a job that it has claimed. */
    BEGIN("a worker begins to run a claimed job", Set.of(RUNNING), Set.of(RUNNING), WithoutRow.STAYS),
    /** A worker extends the lease. */
    RENEW("a worker extends the lease", Set.of(RUNNING), Set.of(RUNNING), WithoutRow.STAYS),
    /** A manager hands a run to a remote worker. */
    ASSIGN("a manager hands a run to a remote worker", Set.of(RUNNING), Set.of(RUNNING), WithoutRow.GETS_ROW),
    /** A run has completed. */
    COMPLETE("a run has completed", Set.of(RUNNING), Set.of(COMPLETED), WithoutRow.STAYS),
    /** A run has failed, and another attempt follows. */
    FAIL("a run has failed, and another attempt follows", Set.of(RUNNING), anyDueOrCancelled(), WithoutRow.GETS_ROW),
    /** A run has failed finally. */
    DISCARD("a run has failed finally", Set.of(RUNNING), Set.of(DISCARDED), WithoutRow.GETS_ROW),
    /** A run was cancelled, or its job expired before it began. */
    STOP(
            "a run was cancelled, or its job expired before it began",
            Set.of(RUNNING),
            Set.of(CANCELLED),
            WithoutRow.GETS_ROW),
    /** A run asks for another one later. */
    SNOOZE("a run asks for another one later", Set.of(RUNNING), anyDueOrCancelled(), WithoutRow.GETS_ROW),
    /** A run waits for a time or a signal. */
    WAIT("a run waits for a time or a signal", Set.of(RUNNING), anyDueOrCancelled(), WithoutRow.GETS_ROW),
    /** A signal wakes a job that waits for it. */
    SIGNAL(
            "a signal wakes a job that waits for it",
            anyDueOrBlocked(),
            EnumSet.of(AVAILABLE, BLOCKED),
            WithoutRow.NEVER),
    /** A worker releases a job that it has not begun. */
    RELEASE("a worker releases a job that it has not begun", Set.of(RUNNING), anyDueOrCancelled(), WithoutRow.GETS_ROW),
    /** The lease of a dead worker has expired. */
    RESCUE(
            "the lease of a dead worker has expired",
            Set.of(RUNNING),
            EnumSet.of(AVAILABLE, SCHEDULED, RETRYABLE, CANCELLED, DISCARDED),
            WithoutRow.GETS_ROW),
    /** A completed row that was only marked goes to the history. */
    SWEEP(
            "a completed row that was only marked goes to the history",
            Set.of(COMPLETED),
            Set.of(COMPLETED),
            WithoutRow.NEVER),

    /** A user cancels a waiting job. */
    CANCEL("a user cancels a waiting job", anyWaiting(), Set.of(CANCELLED), WithoutRow.GETS_ROW),
    /** A user asks a run to stop. */
    ASK_TO_STOP("a user asks a run to stop", Set.of(RUNNING), Set.of(RUNNING), WithoutRow.GETS_ROW),
    /** A user makes a waiting job available now; a change of many jobs takes only those that wait for a time. */
    RETRY(
            "a user makes a waiting job available now; a change of many jobs takes only those that wait for a time",
            EnumSet.of(SCHEDULED, RETRYABLE, BLOCKED, PENDING, PAUSED),
            EnumSet.of(AVAILABLE, BLOCKED),
            WithoutRow.NEVER),
    /** A user brings a finished job back. */
    REVIVE(
            "a user brings a finished job back",
            anyFinished(),
            EnumSet.of(AVAILABLE, SCHEDULED, RETRYABLE, BLOCKED, PENDING),
            WithoutRow.GETS_ROW),
    /** A user moves a waiting job to another queue. */
    MOVE("a user moves a waiting job to another queue", anyWaiting(), anyWaiting(), WithoutRow.GETS_ROW),
    /** A user changes the payload of a waiting job. */
    EDIT("a user changes the payload of a waiting job", anyWaiting(), anyWaiting(), WithoutRow.GETS_ROW),
    /** A user changes when a waiting job is due. */
    RESCHEDULE("a user changes when a waiting job is due", anyDueOrBlocked(), anyDueOrBlocked(), WithoutRow.GETS_ROW),
    /** A user changes the priority of a waiting job. */
    PRIORITIZE("a user changes the priority of a waiting job", anyWaiting(), anyWaiting(), WithoutRow.GETS_ROW),
    /** A user deletes finished jobs. */
    DELETE("a user deletes finished jobs", anyFinished(), none(), WithoutRow.STAYS),
    /** A user deletes jobs and all records of them. A completed job may have no row until then; a waiting one gets a row first. */
    ERASE(
            "a user deletes jobs and all records of them",
            EnumSet.complementOf(EnumSet.of(RUNNING)),
            none(),
            WithoutRow.STAYS),
    /** Retention deletes finished jobs. */
    PRUNE("retention deletes finished jobs", anyFinished(), none(), WithoutRow.STAYS);

    /** What happens to a job that has no row of its own, but is in another place. */
    public enum WithoutRow {
        /** It stays there, and the operation changes that place. */
        STAYS("stays without one"),
        /** It gets a row first, and the rules for rows apply. */
        GETS_ROW("gets one first"),
        /** There is no such job, because every job has a row in the states from which the operation begins. */
        NEVER("always has one");

        private final String text;

        WithoutRow(String text) {
            this.text = text;
        }

        /** {@return the predicate of a sentence about the job} */
        public String text() {
            return text;
        }
    }

    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // an immutable copy
    private final Set<DisplayState> from;

    @SuppressWarnings("ImmutableEnumChecker") // an immutable copy
    private final Set<DisplayState> to;

    private final WithoutRow withoutRow;

    Transition(String text, Set<DisplayState> from, Set<DisplayState> to, WithoutRow withoutRow) {
        this.text = text;
        this.from = Set.copyOf(from);
        this.to = Set.copyOf(to);
        this.withoutRow = withoutRow;
    }

    /** {@return what happens, as a sentence without its capital and its stop} */
    public String text() {
        return text;
    }

    /** {@return the states that it begins from; empty if there is no job yet} */
    public Set<DisplayState> from() {
        return from;
    }

    /** {@return the states that it may end in; empty if the job is gone. A finished job may be gone at once, too, if it is not kept} */
    public Set<DisplayState> to() {
        return to;
    }

    /** {@return what happens to a job that has no row of its own} */
    public WithoutRow withoutRow() {
        return withoutRow;
    }

    private static Set<DisplayState> none() {
        return Set.of();
    }

    private static Set<DisplayState> anyDue() {
        return EnumSet.of(AVAILABLE, SCHEDULED, RETRYABLE);
    }

    private static Set<DisplayState> anyDueOrBlocked() {
        return EnumSet.of(AVAILABLE, SCHEDULED, RETRYABLE, BLOCKED);
    }

    private static Set<DisplayState> anyDueOrCancelled() {
        return EnumSet.of(AVAILABLE, SCHEDULED, RETRYABLE, CANCELLED);
    }

    private static Set<DisplayState> anyWaiting() {
        return EnumSet.of(AVAILABLE, SCHEDULED, RETRYABLE, BLOCKED, PENDING, PAUSED);
    }

    private static Set<DisplayState> anyFinished() {
        return EnumSet.of(COMPLETED, CANCELLED, DISCARDED);
    }
}
