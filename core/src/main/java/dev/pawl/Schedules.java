package dev.pawl;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobType;
import dev.pawl.api.Names;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.Tick;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.schedule.SqlSchedules;
import dev.pawl.internal.store.Declaration;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.schedule.ScheduleInfo;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The recurring jobs of a queue's database. Get it from {@link JobQueue#schedules}. A program declares its own schedules with {@link
 * WorkerBuilder#schedule}; operators and tools manage them here. Any worker on the database enqueues the jobs of all schedules. Each tick
 * is handled once across all workers. While no worker runs, nothing is enqueued. Thread-safe. Every method throws {@link DatabaseException}
 * if the database fails.
 */
public final class Schedules {
    private final QueueRuntime runtime;
    private final SqlSchedules schedules;

    Schedules(QueueRuntime runtime) {
        this.runtime = runtime;
        this.schedules = new SqlSchedules(
                runtime.database(), runtime.ports().store(), runtime.ofTicks(), runtime.codec()::identity);
    }

    static <T> Declaration declaration(QueueRuntime runtime, Schedule<T> schedule) {
        JobType<T> type = schedule.type();
        return declaration(runtime, schedule, runtime.codec().encode(schedule.payload(), type.payloadType()));
    }

    /** Checks that missed ticks and overlap fit together; the setters cannot, because each sets only one of them. */
    private static void requireFitting(Schedule<?> schedule) {
        if (schedule.missed().most() > 1 && schedule.overlap() != Overlap.ALLOW) {
            throw new IllegalArgumentException("schedule '" + schedule.name() + "': up to "
                    + schedule.missed().most()
                    + " missed ticks would overlap: allow that (Overlap.ALLOW), or make up for one (Missed.ONCE)");
        }
    }

    private static Declaration declaration(QueueRuntime runtime, Schedule<?> schedule, String payload) {
        requireFitting(schedule);
        runtime.payloads().require("schedule '" + schedule.name() + "'", payload);
        EnqueueOptions options = schedule.options().onDuplicate(OnDuplicate.KEEP);
        // Checks that the options have room for the headers that each job gets.
        EnqueueOptions unused = OwnOptions.header(
                OwnOptions.header(options, Tick.SCHEDULE_HEADER, schedule.name()),
                Tick.HEADER,
                "2030-01-31T08:00:00.123456789Z");
        return new Declaration(
                schedule.name(),
                new JobRequest(schedule.type().kind(), payload, options),
                schedule.recurrence(),
                schedule.missed(),
                schedule.overlap(),
                schedule.excluded());
    }

    /** {@return all schedules, by name} */
    public List<ScheduleInfo> list() {
        return Failures.wrapped("cannot list the schedules", schedules::list);
    }

    /**
     * {@return the names of schedules that live workers have declared for at least a minute, but that are not in the database} Either the
     * declaration fails, for example because the code of the excluded days throws, or the schedule was removed after the declaration. The
     * worker logs a failed declaration every few seconds.
     */
    public List<String> undeclared() {
        return Failures.wrapped("cannot find schedules that are declared but missing", schedules::undeclared);
    }

    /**
     * Finds a schedule.
     *
     * @param name of a schedule
     * @return its state; empty if it does not exist
     */
    public Optional<ScheduleInfo> find(String name) {
        return list().stream().filter(schedule -> schedule.name().equals(name)).findFirst();
    }

    /**
     * Adds a schedule that no program declares. It stays until it is removed.
     *
     * @param schedule without excluded days, which need code of a program
     * @param <T> the payload
     * @return false if a schedule of that name exists; then nothing is changed
     * @throws IllegalArgumentException if the payload cannot be encoded or is too large, days are excluded, or {@code missed} and {@code overlap} cannot be
     *     combined: see {@link Schedule}
     */
    public <T> boolean add(Schedule<T> schedule) {
        if (schedule.excluded() != null) {
            throw new IllegalArgumentException("schedule '" + schedule.name()
                    + "' excludes days, which needs code of a program: declare it with WorkerBuilder.schedule");
        }
        Declaration declaration = declaration(runtime, schedule);
        return changing("cannot add schedule " + schedule.name(), () -> schedules.add(declaration));
    }

    /**
     * Adds a schedule whose payload is already encoded. For tools.
     *
     * @param name of the schedule
     * @param job that each tick enqueues; without delay, {@code availableAt}, {@code expiresAt} and unique key
     * @param recurrence the times of the ticks
     * @param missed what happens to ticks that passed while no worker was running
     * @param overlap what happens to a tick while the last job has not finished
     * @return false if a schedule of that name exists; then nothing is changed
     * @throws IllegalArgumentException if the name is malformed, the payload is too large, or the parts cannot be combined: see {@link Schedule}
     */
    public boolean add(String name, JobRequest job, Recurrence recurrence, Missed missed, Overlap overlap) {
        Declaration declaration = declaration(runtime, name, job, recurrence, missed, overlap);
        return changing("cannot add schedule " + name, () -> schedules.add(declaration));
    }

    /**
     * Adds a schedule in the caller's transaction. For imports from another scheduler, which continue at a given tick. Workers find the
     * schedule at their next check, within about five seconds; {@link JobQueue#wake} wakes a worker that is suspended ({@link
     * WorkerBuilder#suspendWhenIdle()}).
     *
     * @param connection in a transaction, which the caller commits
     * @param name of the schedule
     * @param job that each tick enqueues; without delay, {@code availableAt}, {@code expiresAt} and unique key
     * @param recurrence the times of the ticks
     * @param missed what happens to ticks that passed while no worker was running
     * @param overlap what happens to a tick while the last job has not finished
     * @param first the first tick, from which a {@link Recurrence.Rate} counts; a past one is a missed tick. Null for the next one from now
     *     on
     * @return false if a schedule of that name exists; then nothing is changed
     * @throws IllegalArgumentException if the name is malformed, the payload is too large, or the parts cannot be combined: see {@link Schedule}
     */
    public boolean add(
            Connection connection,
            String name,
            JobRequest job,
            Recurrence recurrence,
            Missed missed,
            Overlap overlap,
            @Nullable Instant first) {
        Declaration declaration = declaration(runtime, name, job, recurrence, missed, overlap);
        return Failures.wrapped("cannot add schedule " + name, () -> schedules.add(connection, declaration, first));
    }

    private static Declaration declaration(
            QueueRuntime runtime, String name, JobRequest job, Recurrence recurrence, Missed missed, Overlap overlap) {
        JobType<String> type = JobType.of(job.kind(), String.class);
        Schedule<String> checked = new Schedule<>(name, type, "", recurrence, job.options(), missed, overlap, null);
        return declaration(runtime, checked, job.payload());
    }

    /** Applies a change and wakes suspended workers, because the next tick may be earlier now. */
    private boolean changing(String failure, Failures.Call<Boolean> work) {
        boolean done = Failures.wrapped(failure, work);
        runtime.ports().wakes().changed();
        return done;
    }

    /**
     * Enqueues a job of a schedule now. The next tick does not change.
     *
     * @param name of the schedule
     * @return the new job, or the schedule's last job if that has not finished and must not overlap; empty if the schedule does not exist
     */
    public Optional<EnqueueResult> runNow(String name) {
        Names.checkText("schedule", name, name);
        Optional<Map.Entry<String, EnqueueResult>> result =
                Failures.wrapped("cannot run schedule " + name, () -> schedules.runNow(name));
        result.ifPresent(queue -> runtime.ports().wakes().enqueued(Set.of(queue.getKey())));
        return result.map(Map.Entry::getValue);
    }

    /**
     * Pauses a schedule. Ticks that pass until it is resumed are skipped.
     *
     * @param name of the schedule
     * @return false if it is paused already, or does not exist
     */
    public boolean pause(String name) {
        Names.checkText("schedule", name, name);
        return Failures.wrapped("cannot pause schedule " + name, () -> schedules.pause(name));
    }

    /**
     * Resumes a paused schedule with its next tick.
     *
     * @param name of the schedule
     * @return false if it is not paused, or does not exist
     */
    public boolean resume(String name) {
        Names.checkText("schedule", name, name);
        return changing("cannot resume schedule " + name, () -> schedules.resume(name));
    }

    /**
     * Changes the recurrence of a schedule. A program that declares the schedule overwrites the change only when it
     * declares a different recurrence than before.
     *
     * @param name of the schedule
     * @param recurrence the new recurrence
     * @return false if the schedule does not exist
     */
    public boolean change(String name, Recurrence recurrence) {
        Names.checkText("schedule", name, name);
        return changing("cannot change schedule " + name, () -> schedules.change(name, recurrence));
    }

    /**
     * Removes a schedule and the list of its ticks; its jobs stay. A program that declares the schedule adds it again
     * when it starts.
     *
     * @param name of the schedule
     * @return false if it does not exist
     */
    public boolean remove(String name) {
        Names.checkText("schedule", name, name);
        return Failures.wrapped("cannot remove schedule " + name, () -> schedules.remove(name));
    }

    /**
     * Lists the last ticks of a schedule, latest first.
     *
     * @param name of a schedule
     * @param limit the maximum number of ticks, 1 to 1,000; values outside are clamped
     * @return the ticks and what was done at each
     */
    public List<Tick> ticks(String name, int limit) {
        Names.checkText("schedule", name, name);
        int most = Math.max(1, Math.min(1000, limit));
        return Failures.wrapped("cannot read the ticks of schedule " + name, () -> schedules.ticks(name, most));
    }
}
