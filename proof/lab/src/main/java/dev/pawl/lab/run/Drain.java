package dev.pawl.lab.run;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.lab.contender.Contender;
import dev.pawl.lab.contender.Contenders;
import dev.pawl.lab.contender.Protocol;
import dev.pawl.lab.contender.Setup;
import dev.pawl.lab.contender.Variant;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.ServerLocation;
import dev.pawl.lab.database.ServerProbe;
import dev.pawl.lab.database.Target;
import dev.pawl.lab.study.Designs;
import dev.pawl.lab.study.Ordering;
import dev.pawl.lab.study.WindowWait;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One trial of {@link Cell.Measure#DRAIN}, from the empty database to the figures. */
final class Drain {
    private static final Duration LEAST_PATIENCE = Duration.ofMinutes(15);
    private static final ServerProbe.Counters NOTHING = new ServerProbe.Counters(null, null, null, null);
    private static final long POLL_MILLIS = 5;

    private final Target target;
    private final Cell cell;
    private final LabFile.Plan plan;
    private final ServerLocation location;
    private final Duration patience;
    private String settings = "";
    private @Nullable DeadlockListing deadlock;
    private Trial.@Nullable OnNodes onNodes;

    Drain(Target target, Cell cell, LabFile.Plan plan) {
        this.target = target;
        this.cell = cell;
        this.plan = plan;
        this.location = target.location();
        Duration handlers = Duration.ofMillis((long) cell.jobs() * cell.handlerMillis() / cell.workers());
        Duration enough = handlers.multipliedBy(3);
        this.patience = enough.compareTo(LEAST_PATIENCE) > 0 ? enough : LEAST_PATIENCE;
    }

    /** {@return the contender's setup as text} */
    String settings() {
        return settings;
    }

    /** {@return the last deadlock of the trial, if the server lists it} */
    @Nullable
    DeadlockListing deadlock() {
        return deadlock;
    }

    @SuppressWarnings("try") // deadlock detection is off while this is open
    Trial run(int round) throws Exception {
        double fsync = Disk.fsyncMicros();
        Cpu before = Cpu.now(location.processes());
        try (Scratch scratch = target.scratch();
                Detection detection = Detection.of(cell, scratch);
                HikariDataSource pool = scratch.pool(cell.workers() + 4)) {
            Trial.Drained drained = drain(scratch, pool);
            return Trial.of(
                    cell,
                    round,
                    drained,
                    cell.processes() > 0 || isBroker()
                            ? new Trial.Box(
                                    fsync, null) // unknown: the broker or ended workers would count as other programs
                            : Trial.Box.since(before, location, fsync),
                    onNodes);
        }
    }

    /**
     * Returns whether the system has several workers. These take seconds to start and to adapt, so only the last third of the jobs is
     * timed.
     */
    private boolean isSpread() {
        return Variant.workers(cell.system()) > 1;
    }

    /** Returns whether it is a broker, which keeps its jobs on another server that cannot be inspected. */
    private boolean isBroker() {
        return Contenders.family(cell.system()) == Contenders.Family.BROKER;
    }

    private @Nullable Double serverCpu(Cpu before, Cpu after) {
        if (location.place() != ServerLocation.Place.LOCAL
                || isBroker()
                || before.children() == null
                || after.children() == null
                || cell.processes() > 0) {
            return null;
        }
        return target.product().equals("sqlite") ? null : (after.children() - before.children()) / cell.jobs() * 1e6;
    }

    private Trial.Drained drain(Scratch scratch, HikariDataSource pool) throws Exception {
        ServerProbe probe = new ServerProbe(scratch, pool);
        @Nullable Protocol protocol = cell.verify() || cell.processes() > 0 ? new Protocol(pool) : null;
        if (protocol != null) {
            protocol.create(scratch);
        }
        Executions executions = new Executions(
                cell.jobs(),
                cell.handlerMillis(),
                cell.verify() ? protocol : null,
                cell.verify() ? Contender.RemoteRecording.EVERY_JOB : Contender.RemoteRecording.FIRST_JOB);
        try (Contender contender = Contenders.open(setup(scratch));
                AppliedDisturbance disturbance = AppliedDisturbance.of(cell, plan, contender, scratch)) {
            settings = contender.settings();
            ServerProbe.Counters countersBefore = probe.read();
            Cpu cpuBefore = Cpu.now(location.processes());
            long begun = System.nanoTime();
            contender.enqueue(0, cell.jobs());
            double enqueueSeconds = (System.nanoTime() - begun) / 1e9;
            @Nullable Double behind = fillUp(contender);
            @Nullable Double settled = new Settling(scratch, pool).settle(plan.settleSeconds());
            disturbance.jobsAreThere();
            long starting = System.nanoTime();
            long first;
            long last;
            long timedFrom;
            int timed = cell.jobs();
            Contender.Counts counts;
            @Nullable Double ownSeconds;
            Trial.Memory memory;
            try (Contender.Running running = contender.start(executions)) {
                if (cell.processes() > 0) {
                    first = System.nanoTime(); // replaced below by the first start in the protocol
                } else {
                    if (!executions.awaitStarted(patience)) {
                        throw new IllegalStateException(executions.left() + " of " + cell.jobs()
                                + " jobs did not run within " + patience.toMinutes() + " min");
                    }
                    first = executions.firstNanos();
                }
                awaitEnd(contender, executions);
                last = System.nanoTime();
                if (cell.processes() > 0 && protocol != null) {
                    Double since = protocol.secondsSinceFirst();
                    first = since == null ? first : Math.max(first, last - (long) (since * 1e9));
                }
                timedFrom = first;
                if (isSpread()) {
                    timed = Math.max(1, cell.jobs() / 3);
                    timedFrom = executions.nanosOf(Math.max(1, cell.jobs() - timed));
                }
                counts = running.counts();
                onNodes = cell.processes() > 0
                        ? null
                        : Trial.OnNodes.of(contender, counts, scratch, executions.longestPauseNanos(last));
                ownSeconds = running.secondsByItsOwnClock();
                memory = ClientMemory.now();
            }
            Cpu cpuAfter = Cpu.now(location.processes());
            ServerProbe.Counters after = isBroker() ? NOTHING : probe.read();
            @Nullable Long broken = difference(countersBefore.deadlocks(), after.deadlocks());
            if ((isSome(broken) || isSome(counts.deadlocks())) && scratch.isMySql()) {
                deadlock = listing(pool);
            }
            List<Long> order = protocol != null && cell.verify() ? protocol.read() : executions.order();
            return new Trial.Drained(
                    (first - starting) / 1e6,
                    cell.jobs() / enqueueSeconds,
                    timed / (Math.max(1, last - timedFrom) / 1e9),
                    ownSeconds == null ? null : Double.valueOf(cell.jobs() / ownSeconds),
                    cell.processes() > 0 ? null : Double.valueOf(executions.longestPauseNanos(last) / 1e6),
                    order.isEmpty() ? null : figures(order),
                    Ordering.executions(order),
                    new Trial.Faults(
                            counts.claims(),
                            counts.claimsLost(),
                            counts.deadlocks(),
                            counts.lockTimeouts(),
                            broken,
                            difference(countersBefore.lockTimeouts(), after.lockTimeouts())),
                    cost(
                            cpuBefore,
                            cpuAfter,
                            difference(countersBefore.logBytes(), after.logBytes()),
                            after.deadRows()),
                    behind,
                    memory,
                    settled);
        }
    }

    /** {@return how fast the backlog behind the measured jobs was written; null if there is none} */
    private @Nullable Double fillUp(Contender contender) throws Exception {
        if (cell.hindrance() != Cell.Disturbance.BACKLOG) {
            return null;
        }
        long begun = System.nanoTime();
        contender.enqueue(cell.jobs(), cell.jobs() + plan.backlogJobs());
        return plan.backlogJobs() / ((System.nanoTime() - begun) / 1e9);
    }

    /** Waits until the measured jobs are done. With a backlog the store never becomes empty, so the finished jobs are counted instead. */
    private void awaitEnd(Contender contender, Executions executions) throws Exception {
        if (cell.hindrance() != Cell.Disturbance.BACKLOG) {
            awaitEmpty(contender);
        } else if (!executions.awaitDone(patience)) {
            throw new IllegalStateException("the first " + cell.jobs() + " of the backlog's jobs were not done within "
                    + patience.toMinutes() + " min");
        }
    }

    private static boolean isSome(@Nullable Long count) {
        return count != null && count > 0;
    }

    private static @Nullable Long difference(@Nullable Long before, @Nullable Long after) {
        return before == null || after == null ? null : Long.valueOf(after - before);
    }

    private Trial.Cost cost(Cpu before, Cpu after, @Nullable Long logBytes, @Nullable Long deadRows) {
        if (cell.hindrance() == Cell.Disturbance.BACKLOG) {
            return new Trial.Cost(
                    null, null, null, deadRows); // nearly all of the cost came from jobs that were not run
        }
        double jobs = cell.jobs();
        return new Trial.Cost(
                cell.processes() > 0 ? null : Double.valueOf((after.client() - before.client()) / jobs * 1e6),
                serverCpu(before, after),
                logBytes == null ? null : Double.valueOf(logBytes / jobs),
                deadRows);
    }

    private Setup setup(Scratch scratch) {
        return new Setup(
                cell.system(),
                scratch,
                cell.workers(),
                cell.processes(),
                cell.batch(),
                cell.payloadBytes(),
                cell.handlerMillis());
    }

    private void awaitEmpty(Contender contender) throws Exception {
        long deadline = System.nanoTime() + patience.toNanos();
        while (contender.unfinished() > 0) {
            requireTime(deadline, contender);
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private void requireTime(long deadline, Contender contender) throws Exception {
        if (System.nanoTime() - deadline > 0) {
            throw new IllegalStateException(
                    contender.unfinished() + " jobs were not done within " + patience.toMinutes() + " min");
        }
    }

    private Trial.OrderFigures figures(List<Long> order) {
        Ordering all = Ordering.ofAllRuns(order);
        Ordering first = Ordering.ofFirstRuns(order);
        return new Trial.OrderFigures(
                all.mean(),
                all.max(),
                first.mean(),
                first.quantile(0.5),
                first.quantile(0.95),
                first.quantile(0.99),
                first.max(),
                all.histogram(),
                window() > 1 ? WindowWait.meanRounds(order, window()) : null);
    }

    /** Returns the window of a study design; Pawl's claims take many jobs at once, so rounds are meaningless there. */
    private int window() {
        return Contenders.family(cell.system()) == Contenders.Family.STUDY
                ? Designs.named(cell.system(), cell.workers()).window()
                : 1;
    }

    /**
     * Returns the server's latest deadlock if it is of the trial's own database. A deadlock of another database belongs to another program.
     */
    private @Nullable DeadlockListing listing(HikariDataSource pool) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW ENGINE INNODB STATUS")) {
            String schema = String.valueOf(connection.getCatalog());
            return row.next()
                    ? InnoDbStatus.latestDeadlock(cell.database(), cell.system(), row.getString("Status"))
                            .filter(listing -> listing.isAbout(schema))
                            .orElse(null)
                    : null;
        } catch (SQLException noRight) {
            return null; // requires PROCESS, so it is optional
        }
    }
}
