package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.Admin;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.QueueStats;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.lane.LanePlace;
import dev.pawl.internal.place.Conditions;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The state of jobs as the test knows it from its calls and their replies, compared with the database. Finished jobs of earlier rounds are
 * only counted.
 */
final class Ledger {
    private static final List<JobState> ENDS = List.of(JobState.COMPLETED, JobState.CANCELLED, JobState.DISCARDED);

    private final Fixture fixture;
    private final Map<JobState, Long> before = new EnumMap<>(JobState.class);
    private final Map<Long, Entry> jobs = new TreeMap<>();
    private long lastOfBefore;

    Ledger(Fixture fixture) {
        this.fixture = fixture;
        ENDS.forEach(state -> before.put(state, 0L));
    }

    /** The known state of one job. Starts and outcomes are kept as sets of tokens, because a call may be repeated. */
    private static final class Entry {
        long token;
        JobState end = JobState.COMPLETED;
        boolean mayBeGone;
        final Set<Long> started = new HashSet<>();
        final Set<Long> refunded = new HashSet<>();
        final Set<Long> failed = new HashSet<>();
        final Map<Long, String> endings = new HashMap<>();

        int charged() {
            return started.size() - refunded.size();
        }
    }

    private Entry of(long id) {
        Entry entry = jobs.get(id);
        if (entry == null) {
            throw new AssertionError("nobody knows of job " + id);
        }
        return entry;
    }

    void enqueued(long id) {
        assertThat(id).as("ids grow").isGreaterThan(lastOfBefore);
        jobs.put(id, new Entry());
    }

    List<Long> ids() {
        return List.copyOf(jobs.keySet());
    }

    /** Records runs that a worker has been granted. */
    void granted(Collection<Grant> grants) {
        for (Grant grant : grants) {
            Lease lease = grant.lease();
            Entry entry = of(lease.jobId());
            assertThat(lease.token()).as("tokens of job %s", lease.jobId()).isGreaterThan(entry.token);
            entry.token = lease.token();
            assertThat(grant.job().attempt())
                    .as("job %s is charged for announced starts only", lease.jobId())
                    .isEqualTo(entry.charged() + 1);
        }
    }

    void started(Lease lease) {
        of(lease.jobId()).started.add(lease.token());
    }

    /** Records that a run ended this way, whether or not its worker got a confirmation. */
    void ended(Settlement run) {
        Entry entry = of(run.lease().jobId());
        long token = run.lease().token();
        Verdict verdict = run.verdict();
        if (verdict instanceof Verdict.Snooze || verdict instanceof Verdict.Release) {
            if (entry.started.contains(token)) {
                entry.refunded.add(token);
            }
        } else if (verdict instanceof Verdict.Retry || verdict instanceof Verdict.Discarded) {
            entry.failed.add(token);
        }
        if (verdict instanceof Verdict.Discarded) {
            entry.end = JobState.DISCARDED;
        } else if (verdict instanceof Verdict.Cancelled) {
            entry.end = JobState.CANCELLED;
        }
    }

    /** Records that a worker was told that this outcome counts. This may happen twice for one outcome, but not for two different ones. */
    void accepted(Lease lease, Verdict verdict, String by) {
        String ending = verdict.getClass().getSimpleName() + " by " + by;
        String other = of(lease.jobId()).endings.putIfAbsent(lease.token(), ending);
        assertThat(ending).as("the one end of %s", lease).isEqualTo(other == null ? ending : other);
    }

    void found(AbandonedJob job) {
        assertThat(job.mayHaveBegun())
                .as("%s has begun if its start was announced", job.lease())
                .isEqualTo(of(job.lease().jobId()).started.contains(job.lease().token()));
    }

    /** Expects this final state, whichever call ends the job. */
    void endsAs(long id, JobState end) {
        of(id).end = end;
    }

    /** Allows completed jobs to have been pruned. */
    void completedMayBeGone() {
        jobs.values().forEach(entry -> entry.mayBeGone = true);
    }

    /** Asserts that each job is in one place, and that all queries and counts agree. */
    void check() throws SQLException {
        Map<Long, Job> listed = listed();
        check(listed);
        jobs.keySet()
                .forEach(id -> assertThat(fixture.admin.jobs().find(id))
                        .as("found, and listed")
                        .isEqualTo(Optional.ofNullable(listed.get(id))));
    }

    private void check(Map<Long, Job> listed) throws SQLException {
        List<Long> everywhere = everywhere();
        assertThat(everywhere).as("places of jobs").doesNotHaveDuplicates();
        assertThat(listed.keySet()).as("listed").isEqualTo(new TreeSet<>(everywhere));
        assertThat(jobs.keySet()).as("jobs that were enqueued").containsAll(everywhere);
        jobs.forEach((id, entry) -> {
            Job job = listed.get(id);
            if (job == null) {
                assertThat(entry.mayBeGone).as("job %s is not lost", id).isTrue();
            } else {
                assertThat(job.leaseToken()).as("token of job %s", id).isGreaterThanOrEqualTo(entry.token);
            }
        });
        checkCounts(listed.values());
    }

    private void checkCounts(Collection<Job> listed) {
        Map<JobState, Long> states = new EnumMap<>(JobState.class);
        listed.forEach(job -> states.merge(job.state(), 1L, Long::sum));
        QueueStats queue = fixture.admin.queues().list(Admin.UNLIMITED).stream()
                .findFirst()
                .orElse(QueueStats.empty("default", false, null));
        assertThat(queue.running()).as("running").isEqualTo(states.getOrDefault(JobState.RUNNING, 0L));
        assertThat(queue.available() + queue.delayed() + queue.retrying())
                .as("available")
                .isEqualTo(states.getOrDefault(JobState.AVAILABLE, 0L));
        FinishedJobs finished = fixture.admin.queues().finished(Admin.UNLIMITED).stream()
                .findFirst()
                .orElse(new FinishedJobs("default", 0, 0, 0));
        assertThat(List.of(finished.completed(), finished.cancelled(), finished.discarded()))
                .as("finished")
                .isEqualTo(ENDS.stream()
                        .map(state -> before.getOrDefault(state, 0L) + states.getOrDefault(state, 0L))
                        .toList());
    }

    /** Asserts that every job has ended once, as expected, and was charged for its starts. Starts a new round. */
    void close() throws SQLException {
        Map<Long, Job> listed = listed();
        check(listed);
        for (Job job : listed.values()) {
            before.merge(job.state(), 1L, Long::sum);
            Entry entry = of(job.id());
            assertThat(job.state()).as("end of job %s", job.id()).isEqualTo(entry.end);
            assertThat(job.attempt()).as("attempts of job %s", job.id()).isEqualTo(entry.charged());
            assertThat(fixture.admin.runs().failedAttempts(job.id(), Admin.UNLIMITED))
                    .as("failures of job %s", job.id())
                    .hasSize(entry.failed.size());
        }
        jobs.keySet().forEach(id -> lastOfBefore = Math.max(lastOfBefore, id));
        jobs.clear();
    }

    /** Counts the jobs of earlier rounds again, because some may have been pruned. */
    void countAgain() {
        Map<JobState, Long> left = new EnumMap<>(JobState.class);
        fixture.admin.jobs().list(JobFilter.ALL.limit(10_000)).stream()
                .filter(job -> job.id() <= lastOfBefore)
                .forEach(job -> left.merge(job.state(), 1L, Long::sum));
        ENDS.forEach(state -> before.put(state, left.getOrDefault(state, 0L)));
    }

    Map<Long, Job> listed() {
        Map<Long, Job> listed = new TreeMap<>();
        for (Job job : fixture.admin.jobs().list(JobFilter.ALL.limit(jobs.size() + 10))) {
            if (job.id() > lastOfBefore) {
                listed.put(job.id(), job);
            }
        }
        return listed;
    }

    /** {@return the ids of the jobs in every place, where a job that is in two places appears twice} */
    private List<Long> everywhere() throws SQLException {
        return fixture.database.autocommit(connection -> {
            List<Long> ids = new ArrayList<>();
            for (String table : List.of("pawl_job", "pawl_job_history")) {
                try (PreparedStatement statement = connection.prepareStatement(
                        fixture.database.dialect().sql("SELECT id FROM " + table + " WHERE id > ?"))) {
                    statement.setLong(1, lastOfBefore);
                    try (ResultSet rows = statement.executeQuery()) {
                        while (rows.next()) {
                            ids.add(rows.getLong(1));
                        }
                    }
                }
            }
            new LanePlace()
                    .reads(fixture.database.dialect())
                    .list(
                            connection,
                            queue -> true,
                            state -> true,
                            new Conditions(" AND id > ?", List.of(lastOfBefore)),
                            0,
                            1000,
                            true)
                    .forEach(job -> ids.add(job.id()));
            return ids;
        });
    }
}
