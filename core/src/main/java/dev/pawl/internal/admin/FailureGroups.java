package dev.pawl.internal.admin;

import dev.pawl.admin.Admin;
import dev.pawl.admin.FailureGroup;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.log.Cause;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Groups the failed attempts of the newest jobs by their causes. Keeps ids and counts, and of each group the first and
 * the last error.
 */
final class FailureGroups {
    static final int MAX_ATTEMPTS = 50_000;
    private static final int MAX_IDS = 1_000;
    private static final int HOURS = 24;

    private final Database database;
    private final int max;

    /**
     * @param database the pool and the dialect
     * @param limit the maximum number of attempts to read; {@link #list} applies the maximum to live jobs and to finished jobs separately.
     *     {@link Admin#UNLIMITED} stands for {@value #MAX_ATTEMPTS}
     */
    FailureGroups(Database database, int limit) {
        this.database = database;
        this.max = attempts(limit);
    }

    static int attempts(int limit) {
        return limit == Admin.UNLIMITED ? MAX_ATTEMPTS : limit;
    }

    /** What the attempts of a group have in common. */
    private record Key(String kind, Cause cause) {}

    /** Identifies an attempt, which is read twice if its job ends between the two reads, but counts once. */
    private record Seen(long job, long token) {}

    /** The attempts with one cause. */
    private static final class Group {
        private final Map<Long, JobState> jobs = new HashMap<>();
        private FailedRuns.@Nullable Run first;
        private FailedRuns.@Nullable Run last;
        private final int[] hours = new int[HOURS];
        private final Instant now;
        private int attempts;

        Group(Instant now) {
            this.now = now;
        }

        void add(FailedRuns.Run run, boolean isNew) {
            if (isNew) {
                attempts++;
                long age = Math.max(0, Duration.between(run.failedAt(), now).toHours());
                if (age < HOURS) {
                    hours[HOURS - 1 - (int) age]++;
                }
            }
            jobs.put(run.job(), run.state());
            first = first == null || run.failedAt().isBefore(first.failedAt()) ? run : first;
            last = last == null || run.failedAt().isAfter(last.failedAt()) ? run : last;
        }

        @Nullable
        FailureGroup of(Key key, boolean isPartial) {
            if (first == null || last == null) {
                return null;
            }
            List<Long> discarded = in(state -> state == JobState.DISCARDED);
            List<Long> waiting = in(JobState::isWaiting);
            return new FailureGroup(
                    key.cause.id(key.kind),
                    key.cause.text(),
                    key.kind,
                    last.queue(),
                    attempts,
                    jobs.size(),
                    discarded.size(),
                    waiting.size(),
                    first.failedAt(),
                    last.failedAt(),
                    last.error(),
                    newest(discarded),
                    newest(waiting),
                    Arrays.stream(hours).boxed().toList(),
                    isPartial);
        }

        private List<Long> in(Predicate<JobState> wanted) {
            return jobs.entrySet().stream()
                    .filter(job -> wanted.test(job.getValue()))
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList();
        }

        private static List<Long> newest(List<Long> ids) {
            return ids.subList(Math.max(0, ids.size() - MAX_IDS), ids.size());
        }
    }

    /** {@return the groups of the newest jobs' failed attempts, for interactive use} */
    List<FailureGroup> newest(@Nullable String queue, @Nullable String kind) throws SQLException {
        NewestFailures newest = new NewestFailures(database.dialect());
        Map<Key, Group> groups = new LinkedHashMap<>();
        Instant now = now();
        for (FailedRuns.Run run : database.autocommit(connection -> newest.read(connection, max))) {
            if ((queue == null || queue.equals(run.queue())) && (kind == null || kind.equals(run.kind()))) {
                groups.computeIfAbsent(new Key(run.kind(), run.cause()), key -> new Group(now))
                        .add(run, true);
            }
        }
        return sorted(groups, database.autocommit(connection -> newest.areMore(connection, max)));
    }

    List<FailureGroup> list(@Nullable String queue, @Nullable String kind) throws SQLException {
        FailedRuns runs = new FailedRuns(database.dialect(), queue, kind);
        Map<Key, Group> groups = new LinkedHashMap<>();
        Set<Seen> seen = new HashSet<>();
        Instant now = now();
        boolean isPartial = false;
        // Live jobs are read first, so that a job that finishes between the two reads is found in the history.
        for (String table : new String[] {FailedRuns.LIVE, FailedRuns.ENDED}) {
            isPartial |= read(runs, table, now, groups, seen);
        }
        return sorted(groups, isPartial);
    }

    private Instant now() throws SQLException {
        return database.autocommit(connection -> Present.of(connection, database.dialect()));
    }

    private static List<FailureGroup> sorted(Map<Key, Group> groups, boolean isPartial) {
        List<FailureGroup> found = new ArrayList<>();
        for (Map.Entry<Key, Group> each : groups.entrySet()) {
            FailureGroup group = each.getValue().of(each.getKey(), isPartial);
            if (group != null) {
                found.add(group);
            }
        }
        found.sort(Comparator.comparing(FailureGroup::lastAt).reversed());
        return found;
    }

    /** Reads attempts into the groups; returns whether there are more. */
    private boolean read(FailedRuns runs, String table, Instant now, Map<Key, Group> groups, Set<Seen> seen)
            throws SQLException {
        FailedRuns.Run last = null;
        for (int read = 0; ; ) {
            FailedRuns.Run before = last;
            List<FailedRuns.Run> page = database.autocommit(connection -> runs.page(connection, table, before));
            if (read >= max) {
                return !page.isEmpty();
            }
            for (FailedRuns.Run run : page) {
                groups.computeIfAbsent(new Key(run.kind(), run.cause()), key -> new Group(now))
                        .add(run, seen.add(new Seen(run.job(), run.token())));
            }
            if (page.size() < FailedRuns.PAGE) {
                return false;
            }
            read += page.size();
            last = page.get(page.size() - 1);
        }
    }
}
