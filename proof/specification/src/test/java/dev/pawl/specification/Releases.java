package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;

import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.engine.Ports;
import dev.pawl.internal.store.Declaration;
import dev.pawl.internal.store.TickSource;
import dev.pawl.internal.store.WorkerRequest;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.ScheduleInfo;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Programs of two releases, which declare the same schedule in two forms. The newest form must be in force, where the age of a form counts
 * from the start of its first live worker. If no worker is alive, the last form stays in force. The next tick is years away, so no job is
 * enqueued.
 */
final class Releases {
    static final String NAME = "of releases";

    /** A worker's row, and the release of its program. */
    private record Live(long worker, int release) {}

    private final JobQueue queue;
    private final Ports ports;
    /** In the order of their starts. */
    private final List<Live> live = new ArrayList<>();

    private @Nullable Integer inForce;

    Releases(JobQueue queue, Ports ports) {
        this.queue = queue;
        this.ports = ports;
    }

    private static Declaration declaration(int release) {
        return new Declaration(
                NAME,
                new JobRequest("ka", Integer.toString(release), EnqueueOptions.DEFAULTS),
                Recurrence.cron(release + " 0 29 2 *"),
                Missed.ONCE,
                Overlap.SKIP,
                null);
    }

    /** Starts a program. */
    void start(int release) throws SQLException {
        List<Declaration> declared = List.of(declaration(release));
        long worker = ports.workers()
                .register(
                        "release " + release,
                        List.of("c"),
                        List.of("kc"),
                        1,
                        1,
                        ports.ticks().forms(declared));
        live.add(new Live(worker, release));
        boolean unused = ports.ticks().declare(declared.get(0));
        compare();
    }

    /** Stops the program that started first, or last. */
    void stop(boolean first) throws SQLException {
        if (!live.isEmpty()) {
            Live one = live.remove(first ? 0 : live.size() - 1);
            ports.workers().stopped(one.worker, null);
            compare();
        }
    }

    /** The heartbeats of live workers as time advances. */
    void heartbeat() throws SQLException {
        for (Live each : live) {
            WorkerRequest unused = ports.workers().heartbeat(each.worker, null);
        }
    }

    /** Lets each worker check whether its declaration is in force, and compares the schedule with the expected one. */
    private void compare() throws SQLException {
        for (Live each : live) {
            TickSource.Reconciled unused = ports.ticks().reconcile(List.of(declaration(each.release)), "");
        }
        List<Integer> inOrder = live.stream().map(Live::release).distinct().toList();
        if (!inOrder.isEmpty()) {
            inForce = inOrder.get(inOrder.size() - 1);
        }
        if (inForce == null) {
            return;
        }
        ScheduleInfo seen = queue.schedules().list().stream()
                .filter(each -> each.name().equals(NAME))
                .findFirst()
                .orElseThrow(() -> new Difference("the schedule is not there"));
        same("release that is in force", Integer.toString(inForce), seen.payload());
        same("its recurrence", declaration(inForce).recurrence(), seen.recurrence());
        boolean isDeclared = seen.origin() == ScheduleInfo.Origin.DECLARED;
        require(isDeclared != live.isEmpty(), "%s live programs, and the schedule is %s", live.size(), seen.origin());
    }
}
