package dev.pawl;

import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.schedule.SqlSchedules;
import dev.pawl.internal.store.Declaration;
import dev.pawl.internal.words.OwnOptions;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.schedule.ScheduleInfo;
import dev.pawl.schedule.Tick;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The recurring jobs of a queue's database. Get it from {@link JobQueue#schedules}. A program declares its own with
 * {@link WorkerBuilder#schedule}; here people, and programs on their behalf, look after them. Any worker on the database
 * enqueues their jobs, each tick once in the whole cluster; while no worker runs, nothing is enqueued. Thread-safe. Every
 * method throws {@link DatabaseException} if the database fails.
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
        return declaration(schedule, runtime.codec().encode(schedule.payload(), type.payloadType()));
    }

    /** Not where the two are set, one after the other. */
    private static void requireFitting(Schedule<?> schedule) {
        if (schedule.missed().most() > 1 && schedule.overlap() != Overlap.ALLOW) {
            throw new InvalidJobException("schedule '" + schedule.name() + "': up to "
                    + schedule.missed().most()
                    + " missed ticks would overlap: allow that (Overlap.ALLOW), or make up for one (Missed.ONCE)");
        }
    }

    private static Declaration declaration(Schedule<?> schedule, String payload) {
        requireFitting(schedule);
        EnqueueOptions options = schedule.options().onDuplicate(OnDuplicate.KEEP);
        // what each job gets besides must fit as well
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
     * {@return the names of schedules that live workers have declared for a minute or longer, and that are not in the database}
     * Either they cannot be declared, such as because the code that tells their days fails, which the log of the worker says every
     * few seconds, or somebody has removed them since.
     */
    public List<String> undeclared() {
        return Failures.wrapped("cannot look for schedules that are not there", schedules::undeclared);
    }

    /**
     * @param name of a schedule
     * @return how it stands; empty if there is none
     */
    public Optional<ScheduleInfo> find(String name) {
        return list().stream().filter(schedule -> schedule.name().equals(name)).findFirst();
    }

    /**
     * Adds a schedule that no program declares: it stays until somebody removes it.
     *
     * @param schedule without excluded days, which only a program can know
     * @param <T> the payload
     * @return false if there is one of that name; then nothing is changed
     * @throws InvalidJobException if the payload cannot be encoded, or days are excluded
     */
    public <T> boolean add(Schedule<T> schedule) {
        if (schedule.excluded() != null) {
            throw new InvalidJobException("schedule '" + schedule.name()
                    + "' excludes days, which only a program can know: declare it with WorkerBuilder.schedule");
        }
        Declaration declaration = declaration(runtime, schedule);
        return changing("cannot add schedule " + schedule.name(), () -> schedules.add(declaration));
    }

    /**
     * The same for tools that take payloads as text.
     *
     * @param name of the schedule
     * @param job that each tick enqueues; without delay, moment and unique key
     * @param recurrence when
     * @param missed what happens to ticks that passed while no worker was there
     * @param overlap what happens to a tick while the last job has not ended
     * @return false if there is one of that name; then nothing is changed
     * @throws InvalidJobException if the name is malformed, or the parts do not fit together: see {@link Schedule}
     */
    public boolean add(String name, JobRequest job, Recurrence recurrence, Missed missed, Overlap overlap) {
        Declaration declaration = declaration(name, job, recurrence, missed, overlap);
        return changing("cannot add schedule " + name, () -> schedules.add(declaration));
    }

    /**
     * The same within the caller's transaction, for what moves here from elsewhere and goes on where it was. Workers hear of it
     * when they look for ticks again, within a minute; a worker that sleeps ({@link WorkerBuilder#suspendWhenIdle()}) by
     * {@link JobQueue#wake}.
     *
     * @param connection in a transaction of the caller, who commits it
     * @param name of the schedule
     * @param job that each tick enqueues; without delay, moment and unique key
     * @param recurrence when
     * @param missed what happens to ticks that passed while no worker was there
     * @param overlap what happens to a tick while the last job has not ended
     * @param first the first tick, from which a {@link Recurrence.Rate} counts on; one of the past is a missed one. Null for the
     *     next one from now on
     * @return false if there is one of that name; then nothing is changed
     * @throws InvalidJobException if the name is malformed, or the parts do not fit together: see {@link Schedule}
     */
    public boolean add(
            Connection connection,
            String name,
            JobRequest job,
            Recurrence recurrence,
            Missed missed,
            Overlap overlap,
            @Nullable Instant first) {
        Declaration declaration = declaration(name, job, recurrence, missed, overlap);
        return Failures.wrapped("cannot add schedule " + name, () -> schedules.add(connection, declaration, first));
    }

    private static Declaration declaration(
            String name, JobRequest job, Recurrence recurrence, Missed missed, Overlap overlap) {
        JobType<String> type = JobType.of(job.kind(), String.class);
        Schedule<String> checked = new Schedule<>(name, type, "", recurrence, job.options(), missed, overlap, null);
        return declaration(checked, job.payload());
    }

    /** A worker that sleeps may have to wake sooner. */
    private boolean changing(String failure, Failures.Call<Boolean> work) {
        boolean done = Failures.wrapped(failure, work);
        runtime.ports().wakes().changed();
        return done;
    }

    /**
     * Enqueues a job of a schedule now, out of turn. The next tick stays when it is.
     *
     * @param name of the schedule
     * @return the job, or the last one of the schedule if that has not ended and they must not overlap; empty if there is
     *     no such schedule
     */
    public Optional<EnqueueResult> runNow(String name) {
        Names.checkText("schedule", name, name);
        Optional<Map.Entry<String, EnqueueResult>> result =
                Failures.wrapped("cannot run schedule " + name, () -> schedules.runNow(name));
        result.ifPresent(queue -> runtime.ports().wakes().enqueued(Set.of(queue.getKey())));
        return result.map(Map.Entry::getValue);
    }

    /**
     * Stops a schedule until it is resumed. Ticks that pass meanwhile are not made up for.
     *
     * @param name of the schedule
     * @return false if it is paused already, or there is none
     */
    public boolean pause(String name) {
        Names.checkText("schedule", name, name);
        return Failures.wrapped("cannot pause schedule " + name, () -> schedules.pause(name));
    }

    /**
     * Lets a paused schedule go on with its next tick.
     *
     * @param name of the schedule
     * @return false if it is not paused, or there is none
     */
    public boolean resume(String name) {
        Names.checkText("schedule", name, name);
        return changing("cannot resume schedule " + name, () -> schedules.resume(name));
    }

    /**
     * Changes when a schedule is due. A program that declares it with the same recurrence as before does not undo this; one that
     * declares a different recurrence does.
     *
     * @param name of the schedule
     * @param recurrence from now on
     * @return false if there is none
     */
    public boolean change(String name, Recurrence recurrence) {
        Names.checkText("schedule", name, name);
        return changing("cannot change schedule " + name, () -> schedules.change(name, recurrence));
    }

    /**
     * Removes a schedule and the list of its ticks; its jobs stay. A program that declares it brings it back when it starts.
     *
     * @param name of the schedule
     * @return false if there is none
     */
    public boolean remove(String name) {
        Names.checkText("schedule", name, name);
        return Failures.wrapped("cannot remove schedule " + name, () -> schedules.remove(name));
    }

    /**
     * @param name of a schedule
     * @param limit how many at most, 1 to 1,000
     * @return what became of its last ticks, the latest first
     */
    public List<Tick> ticks(String name, int limit) {
        Names.checkText("schedule", name, name);
        int most = Math.max(1, Math.min(1000, limit));
        return Failures.wrapped("cannot read the ticks of schedule " + name, () -> schedules.ticks(name, most));
    }
}
