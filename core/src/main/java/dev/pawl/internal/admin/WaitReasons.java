package dev.pawl.internal.admin;

import dev.pawl.admin.WaitReason;
import dev.pawl.admin.WaitReason.Cause;
import dev.pawl.api.Job;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.WaitingJob;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds why a job waits, for the dashboard, the API and the command line. Features add reasons by {@link Feature#waitReasons}. Takes a few
 * short statements for each job; workers do not use it.
 */
final class WaitReasons {
    private final Database database;
    private final Dialect dialect;
    private final JobQueries jobQueries;
    private final List<Feature> features;
    private final WorkerRegistry workers;
    private final QueuePosition position;

    WaitReasons(Database database, JobQueries jobQueries, List<Feature> features) {
        this.database = database;
        this.dialect = database.dialect();
        this.jobQueries = jobQueries;
        this.features = features;
        this.workers = new WorkerRegistry(database);
        this.position = new QueuePosition(database);
    }

    List<WaitReason> of(long jobId) throws SQLException {
        Optional<Job> job = database.autocommit(connection -> jobQueries.find(connection, jobId));
        if (job.isEmpty() || !job.get().state().isWaiting()) {
            return List.of();
        }
        Instant now = database.autocommit(connection -> Present.of(connection, dialect));
        return new Reading(new WaitingJob(database, job.get(), now)).all();
    }

    /** Collects the reasons of one job. */
    private final class Reading {
        private final WaitingJob job;
        private final Job row;
        private final List<WaitReason> found = new ArrayList<>();

        Reading(WaitingJob job) {
            this.job = job;
            this.row = job.job();
        }

        List<WaitReason> all() throws SQLException {
            pauses();
            expiry();
            for (Feature feature : features) {
                found.addAll(feature.waitReasons(job));
            }
            if (found.stream().noneMatch(reason -> isMoment(reason.cause()))) {
                job.due().ifPresent(this::later);
            }
            workers();
            position();
            if (found.isEmpty()) {
                add(Cause.NEXT, "nothing keeps it from running: the next claim of a worker takes it", null, "");
            }
            found.sort(Comparator.comparing(WaitReason::cause));
            return List.copyOf(found);
        }

        private void add(Cause cause, String text, @Nullable Instant until, Object about) {
            found.add(new WaitReason(cause, text, until, about.toString()));
        }

        private void pauses() throws SQLException {
            Set<String> paused = database.autocommit(this::paused);
            if (paused.contains(QueuePause.ALL)) {
                add(Cause.ALL_PAUSED, "all queues are paused", null, "");
            }
            if (paused.contains(row.queue())) {
                add(Cause.QUEUE_PAUSED, "queue " + row.queue() + " is paused", null, row.queue());
            }
        }

        /** {@return the names of the rows that pause the job's queue} */
        private Set<String> paused(Connection connection) throws SQLException {
            Sql sql = dialect.statement("SELECT name FROM pawl_queue WHERE name IN (?, ?) AND paused_at IS NOT NULL");
            Set<String> paused = new HashSet<>();
            sql.on(connection, row.queue(), QueuePause.ALL).each(rows -> paused.add(rows.getString(1)));
            return paused;
        }

        private void expiry() {
            row.expiresAt()
                    .filter(end -> !end.isAfter(job.now()))
                    .ifPresent(
                            end -> add(Cause.EXPIRED, "it has expired: it will be cancelled instead of run", null, ""));
        }

        private void later(Instant due) {
            if (row.attempt() > 0) {
                add(
                        Cause.RETRY,
                        "its next attempt, " + (row.attempt() + 1) + " of " + row.maxAttempts() + ", is due later",
                        due,
                        "");
            } else {
                add(Cause.SCHEDULED, "it is scheduled for later", due, "");
            }
        }

        private void workers() throws SQLException {
            WaitReason.ofWorkers(row.queue(), row.kind(), database.autocommit(workers::list))
                    .ifPresent(found::add);
        }

        private void position() throws SQLException {
            OptionalLong ahead = position.ahead(row.id());
            if (ahead.orElse(0) > 0) {
                boolean isMore = ahead.getAsLong() >= QueuePosition.MAX;
                add(
                        Cause.QUEUE_POSITION,
                        (isMore ? "at least " : "") + jobs(ahead.getAsLong()) + " of queue " + row.queue()
                                + (ahead.getAsLong() == 1 ? " is" : " are") + " before it",
                        null,
                        row.queue());
            }
        }
    }

    /** {@return whether a reason with this cause explains the due time of the job} */
    private static boolean isMoment(Cause cause) {
        return cause == Cause.SIGNAL || cause == Cause.SCHEDULED;
    }

    private static String jobs(long number) {
        return String.format(Locale.ROOT, "%,d job%s", number, number == 1 ? "" : "s");
    }
}
