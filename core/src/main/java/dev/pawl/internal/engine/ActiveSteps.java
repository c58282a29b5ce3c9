package dev.pawl.internal.engine;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobStep;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.RunSteps;
import dev.pawl.api.RunSuspended;
import dev.pawl.api.Signal;
import dev.pawl.api.TypeToken;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.StepRow;
import dev.pawl.internal.store.StoredText;
import dev.pawl.internal.store.Verdict;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a run. Reads the stored steps when the handler takes the first step. Thread-safe: the lock of {@code known} guards the
 * fields, and writes are serialized.
 */
final class ActiveSteps implements RunSteps {
    private static final int MAX = 1_000;
    private static final int MAX_BYTES = 256 * 1024;
    /** Limit for all values of a job, which are in memory while it runs. */
    private static final long MAX_BYTES_TOGETHER = 4L * 1024 * 1024;

    private static final int LONGEST_NAME = 200;
    private static final Duration LONGEST = Duration.ofDays(3653);
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    private final HeldJob held;
    private final Transactions transactions;
    private final JobStore store;
    private final PayloadCodec codec;
    private final Object writing = new Object();
    private final Map<StepRow.Name, StepRow> known = new HashMap<>();
    private final Set<StepRow.Name> taken = new HashSet<>();
    private boolean read;
    private int places;
    /** Size of the known values; guarded by {@code known}. */
    private long bytes;

    ActiveSteps(HeldJob held, Transactions transactions, JobStore store, PayloadCodec codec) {
        this.held = held;
        this.transactions = transactions;
        this.store = store;
        this.codec = codec;
    }

    @Override
    public <T> T run(String name, TypeToken<T> type, Callable<T> work) throws Exception {
        StepRow.Name step = name(JobStep.Kind.STEP, name);
        StepRow before = take(step);
        if (before != null) {
            return decoded(step, before.value(), type);
        }
        T value = work.call();
        String text;
        try {
            text = encoded(step, value, type);
        } catch (Throwable cannot) {
            held.cannotKeep(step.toString());
            throw cannot;
        }
        keep(StepRow.done(step, nextPlace(), text));
        return value;
    }

    @Override
    public void run(String name, Action work) throws Exception {
        StepRow.Name step = name(JobStep.Kind.STEP, name);
        if (take(step) == null) {
            work.run();
            keep(StepRow.done(step, nextPlace(), null));
        }
    }

    @Override
    public <T> T inTransaction(String name, TypeToken<T> type, Writes<T> work) throws Exception {
        StepRow.Name step = name(JobStep.Kind.STEP, name);
        StepRow before = take(step);
        if (before != null) {
            return decoded(step, before.value(), type);
        }
        int place = nextPlace();
        return locked(step, connection -> {
            T value = transactions.work(connection, held.lease(), () -> work.run(connection));
            if (!store.steps().add(connection, jobId(), StepRow.done(step, place, encoded(step, value, type)))) {
                throw new LeaseLostException(
                        jobId(), held.lease().token()); // cannot happen: steps of another run under this lease
            }
            return value;
        });
    }

    @Override
    public <T> Optional<T> await(Signal<T> signal, Duration longest) {
        StepRow.Name name = name(JobStep.Kind.SIGNAL, signal.name());
        StepRow row = waitFor(name, longest);
        return row.state() == JobStep.State.DONE
                ? Optional.of(decoded(name, row.value(), signal.type()))
                : Optional.empty();
    }

    @Override
    public void sleep(String name, Duration length) {
        StepRow unused = waitFor(name(JobStep.Kind.SLEEP, name), length);
    }

    /** {@return the row once the wait is over} While it is not, the run is suspended. */
    private StepRow waitFor(StepRow.Name name, Duration longest) {
        if (longest.isNegative() || longest.compareTo(LONGEST) > 0) {
            throw new InvalidJobException(
                    "a job waits for up to ten years, not for " + longest + ": see " + name + " of job " + jobId());
        }
        StepRow before = take(name);
        if (before != null && !before.isWaiting()) {
            return before;
        }
        StepRow wanted = before == null ? StepRow.waiting(name, nextPlace(), longest) : before;
        return unchecked(name, () -> written(name, () -> wait(wanted)));
    }

    private StepRow wait(StepRow wanted) throws Exception {
        StepRow.Name name = wanted.name();
        boolean[] cancelled = {false};
        long batch = held.job().batch().orElse(0);
        StepRow found = lockedBriefly(
                name,
                connection -> {
                    boolean isNew = store.steps().add(connection, jobId(), wanted);
                    StepRow present = isNew
                            ? wanted
                            : store.steps().find(connection, jobId(), name).orElse(wanted);
                    if (!present.isWaiting()) {
                        return present;
                    }
                    Duration left = present.left();
                    if (left == null || left.isZero() || left.isNegative()) {
                        StepRow finished = name.kind() == JobStep.Kind.SLEEP ? present.over() : present.givenUp();
                        store.steps().end(connection, jobId(), finished);
                        return finished;
                    }
                    // the row is locked, so the flag cannot change until the commit
                    cancelled[0] = store.isCancelRequested(connection, held.lease());
                    if (!store.settle(connection, new Settlement(held.lease(), new Verdict.Snooze(left), batch))) {
                        throw new LeaseLostException(jobId(), held.lease().token());
                    }
                    return present;
                },
                row -> {
                    if (row.isWaiting()) {
                        held.suspend(
                                new HeldJob.Suspension(row.left() == null ? Duration.ZERO : row.left(), cancelled[0]));
                    }
                });
        if (found.isWaiting()) {
            throw new RunSuspended("job " + jobId() + " waits: " + name);
        }
        return found;
    }

    private long jobId() {
        return held.job().id();
    }

    private static StepRow.Name name(JobStep.Kind kind, String name) {
        if (name.isBlank()
                || name.length() > LONGEST_NAME
                || !name.strip().equals(name)
                || name.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidJobException("the name '" + name + "' of a step is not valid: use 1 to " + LONGEST_NAME
                    + " characters, no control characters, no blank at either end");
        }
        return new StepRow.Name(kind, name);
    }

    /** {@return the stored step; null if there is none} */
    private @Nullable StepRow take(StepRow.Name name) {
        transactions.requireOutside(held, name.toString());
        requireOurs();
        synchronized (known) {
            if (!read) {
                readAll();
            }
            if (!taken.add(name)) {
                throw new IllegalStateException(
                        "job " + jobId() + ": the " + name + " is taken twice in one run: each needs a name"
                                + " of its own, such as '" + name.name() + " 2'");
            }
            if (!known.containsKey(name) && places >= MAX) {
                throw new InvalidJobException(
                        "job " + jobId() + " has " + places + " steps, the most: the " + name + " is one too many");
            }
            return known.get(name);
        }
    }

    private void readAll() {
        try {
            for (StepRow row : store.steps().list(jobId())) {
                known.put(row.name(), row);
                places = Math.max(places, row.place());
                String value = row.value();
                bytes += value == null ? 0 : bytes(value);
            }
            read = true;
        } catch (SQLException e) {
            throw new DatabaseException("cannot read the steps of job " + jobId(), e, store.isTransient(e));
        }
    }

    private int nextPlace() {
        synchronized (known) {
            return ++places;
        }
    }

    private void keep(StepRow row) throws Exception {
        boolean unused = written(
                row.name(),
                () -> lockedBriefly(
                        row.name(),
                        // already there if the reply to an earlier attempt was lost
                        connection -> store.steps().add(connection, jobId(), row),
                        kept -> {}));
    }

    /** For the handler's own writes, which have no time limit. */
    private <T> T locked(StepRow.Name name, Transactions.Locked<T> work) throws Exception {
        Consumer<T> nothing = result -> {};
        synchronized (writing) {
            return transactions.locked(held, name.toString(), work, nothing);
        }
    }

    private <T> T lockedBriefly(StepRow.Name name, Transactions.Locked<T> work, Consumer<T> committed)
            throws Exception {
        synchronized (writing) {
            return transactions.lockedBriefly(held, name.toString(), work, committed);
        }
    }

    /**
     * Retries until the lease is lost, because the step's work would otherwise be repeated. Neither database errors nor interrupts end the
     * retries; the interrupt flag is restored afterwards.
     */
    private <T> T written(StepRow.Name name, Callable<T> write) throws Exception {
        Backoff outage = new Backoff(FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
        boolean isInterrupted = Thread.interrupted();
        try {
            while (true) {
                requireOurs();
                try {
                    return write.call();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                } catch (SQLException e) {
                    if (!store.isTransient(e)) {
                        throw new DatabaseException("cannot keep the " + name + " of job " + jobId(), e, false);
                    }
                    isInterrupted |= !paused(outage.next());
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean paused(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void requireOurs() {
        if (held.isAbandoned() || held.stopped() == HeldJob.Stop.LEASE_LOST) {
            throw new LeaseLostException(jobId(), held.lease().token());
        }
    }

    private static <T> T unchecked(StepRow.Name name, Callable<T> call) {
        try {
            return call.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it began to wait: " + name, e);
        } catch (Exception e) {
            throw new IllegalStateException("cannot wait: " + name, e);
        }
    }

    private <T> String encoded(StepRow.Name name, @Nullable T value, TypeToken<T> type) {
        if (value == null) {
            throw new InvalidJobException("the " + name + " of job " + jobId()
                    + " has no value: take a step without a value, or return an Optional or a record");
        }
        String text = codec.encode(value, type);
        int length = bytes(text);
        if (length > MAX_BYTES) {
            throw new InvalidJobException("the value of the " + name + " of job " + jobId() + " has " + length
                    + " bytes, the maximum is " + MAX_BYTES + ": store it elsewhere and keep a reference");
        }
        StoredText.require("the value of the " + name + " of job " + jobId(), text);
        synchronized (known) {
            if (bytes + length > MAX_BYTES_TOGETHER) {
                throw new InvalidJobException("with the value of the " + name + " those of job " + jobId() + " have "
                        + (bytes + length) + " bytes together, the maximum is " + MAX_BYTES_TOGETHER
                        + ": store them elsewhere and keep references");
            }
            bytes += length;
        }
        return text;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private <T> T decoded(StepRow.Name name, @Nullable String text, TypeToken<T> type) {
        if (text == null) {
            throw new InvalidJobException("the " + name + " of job " + jobId()
                    + " was done by a version of the program in which it had no value; now it should be " + type);
        }
        return codec.decode(text, type);
    }
}
