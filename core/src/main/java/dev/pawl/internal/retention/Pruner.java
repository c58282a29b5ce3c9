package dev.pawl.internal.retention;

import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.feature.OrphanPolicy;
import dev.pawl.internal.feature.Pruning;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Steps;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlacePruner;
import dev.pawl.internal.store.Maintenance;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deletes rows whose retention has expired, a small batch in each transaction, so that no other transaction waits long for a batch. An
 * error in one part does not stop the others. Each pass reads the retention of queues and kinds together with the time.
 */
public final class Pruner implements Maintenance {
    /** Network timeout of one statement, so that a dead connection does not end all pruning. */
    public static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private static final Duration KEEP_WORKERS = Duration.ofDays(7);

    private static final Duration DAY = Duration.ofDays(1);

    /** The minimum age of orphan rows: a job that was just enqueued or moved may not be visible yet. */
    private static final Duration GRACE = Duration.ofHours(1);

    /** After this number of slices without orphan rows, the scan pauses until the next minute. */
    private static final int MAX_EMPTY_SLICES = 20;

    /** Maximum number of slices that a pass reads for each retention when it has to skip jobs that are kept for longer. */
    private static final int MAX_SLICES = 200;

    private final Database database;
    private final HistoryUpkeep history;
    private final List<PlacePruner> places;
    private final RetentionRows rows;
    private final Removal removal;
    private final OldJobs old;
    private final RetentionScan retentionScan;
    private final LastCompleted last;
    private final List<OrphanRows> orphans;
    private final List<Pruning> ofFeatures;
    /** Scans keep their positions, so there is one pass at a time. */
    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable Rules known;

    /**
     * @param database the pool and the dialect
     * @param history maintains the product's history
     * @param linked rows that are deleted with the jobs
     */
    public Pruner(Database database, HistoryUpkeep history, LinkedRows linked) {
        this.database = database;
        this.rows = new RetentionRows(database);
        this.removal = new Removal(database.dialect(), linked);
        this.old = new OldJobs(database, removal);
        this.retentionScan = new RetentionScan(database, removal);
        this.last = new LastCompleted(database);
        this.history = history;
        this.places = JobPlaces.pruners(database);
        this.ofFeatures = linked.prunings(database);
        this.orphans = orphans(database, linked);
    }

    /** {@return new scans for linked rows whose jobs are gone, and for rows of dead workers} */
    private static List<OrphanRows> orphans(Database database, LinkedRows linked) {
        List<OrphanRows> all = new ArrayList<>();
        for (JobLink link : linked.links()) {
            if (link.orphans() instanceof OrphanPolicy.Sweep sweep) {
                all.add(OrphanRows.withoutJob(database, link, sweep, GRACE));
            }
        }
        all.add(new OrphanRows(database, "pawl_worker", "id", "heartbeat_at", KEEP_WORKERS, ""));
        return List.copyOf(all);
    }

    /** Prunes; does nothing while another worker of this process prunes, because its pass serves both. */
    @Override
    public void prune(Retention retention) throws SQLException {
        pruneUnlessBusy(retention);
    }

    /**
     * Prunes by the retention that programs have stored, else by {@link Retention#DEFAULTS}.
     *
     * @throws SQLException from the driver
     */
    public void pruneAsStored() throws SQLException {
        pruneUnlessBusy(null);
    }

    private void pruneUnlessBusy(@Nullable Retention retention) throws SQLException {
        if (lock.tryLock()) {
            try {
                long unused = prune(retention, MAX_EMPTY_SLICES);
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Prunes until nothing is left to prune, or the thread is interrupted.
     *
     * @param retention how long each state is kept
     * @return how many jobs were deleted
     * @throws SQLException the first error, after everything else was tried
     */
    public long pruneAll(Retention retention) throws SQLException {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
        try {
            return prune(retention, Integer.MAX_VALUE);
        } finally {
            lock.unlock();
        }
    }

    private long prune(@Nullable Retention retention, int maxEmptySlices) throws SQLException {
        Steps all = new Steps();
        steps(retention, maxEmptySlices).forEach(all::take);
        return all.end();
    }

    private List<Steps.Step> steps(@Nullable Retention retention, int maxEmptySlices) {
        List<Steps.Step> steps = new ArrayList<>();
        try {
            addJobs(steps, retention, maxEmptySlices);
        } catch (SQLException e) { // without the rules, no job may be deleted
            steps.add(() -> {
                throw e;
            });
            addFeatures(steps, () -> Instant.EPOCH);
        }
        for (OrphanRows one : orphans) {
            steps.add(() -> {
                one.prune(maxEmptySlices);
                return 0;
            });
        }
        return steps;
    }

    private static Duration longest(Retention retention) {
        return Stream.of(retention.completed(), retention.cancelled(), retention.discarded())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private void addJobs(List<Steps.Step> steps, @Nullable Retention given, int maxEmptySlices) throws SQLException {
        RetentionRows.Read read = rows.read();
        Instant now = read.now();
        Retention stored = Objects.requireNonNullElse(read.ofProgram(), Retention.DEFAULTS);
        Retention retention = Objects.requireNonNullElse(given, stored);
        Rules rules = new Rules(retention, read.rules());
        if (maxEmptySlices == Integer.MAX_VALUE || !rules.equals(known)) {
            retentionScan.startOver();
            places.forEach(PlacePruner::startOver);
            known = rules;
        }
        int maxSlices = maxEmptySlices == Integer.MAX_VALUE ? maxEmptySlices : MAX_SLICES;
        Map<JobState, Instant> days = new EnumMap<>(JobState.class);
        steps.add(() -> {
            history.maintain(database, rules.longest(), removal::deleteLinked).forEach((state, day) -> {
                boolean isWorthWaiting = rules.of(state).lengths().last().compareTo(DAY) >= 0;
                if (isWorthWaiting && maxEmptySlices < Integer.MAX_VALUE) {
                    days.put(state, day);
                }
            });
            return 0;
        });
        Terms terms = new Terms(rules, now, maxSlices, days);
        steps.add(() -> prune(JobState.COMPLETED, terms));
        for (PlacePruner place : places) {
            steps.add(() -> place.prune(queue -> rules.terms(queue, now), removal::deleteLinked, maxSlices));
        }
        if (retention.mostCompleted() != Long.MAX_VALUE) {
            steps.add(() -> pruneAllBut(retention.mostCompleted(), rules, now, maxSlices));
        }
        steps.add(() -> prune(JobState.CANCELLED, terms));
        steps.add(() -> prune(JobState.DISCARDED, terms));
        addFeatures(steps, () -> keptSince(now.minus(longest(rules.longest())), days));
    }

    /** @param days see {@link Terms} */
    private static Instant keptSince(Instant byRules, Map<JobState, Instant> days) {
        return Stream.concat(Stream.of(byRules), days.values().stream())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private void addFeatures(List<Steps.Step> steps, Supplier<Instant> keptSince) {
        for (Pruning each : ofFeatures) {
            steps.add(() -> {
                each.prune(keptSince.get());
                return 0;
            });
        }
    }

    /**
     * What one pass deletes.
     *
     * @param days for each state whose days are dropped as a whole, the beginning of the oldest day that is kept
     */
    private record Terms(Rules rules, Instant now, int maxSlices, Map<JobState, Instant> days) {
        /**
         * {@return the finish of the last job to delete row by row}
         *
         * @param keep how long jobs of the state are kept; the jobs with the longest retention are dropped with their day
         */
        Instant last(JobState state, Duration keep, Duration longest) {
            Instant day = keep.compareTo(longest) < 0 ? null : days.get(state);
            return day == null ? now.minus(keep) : day.minus(1, ChronoUnit.MICROS);
        }
    }

    private long prune(JobState state, Terms terms) throws SQLException {
        if (!terms.rules().say(state)) {
            Duration keep = terms.rules().ofAll(state);
            return old.prune(state, terms.last(state, keep, keep));
        }
        Rules.OfState of = terms.rules().of(state);
        Steps each = new Steps();
        for (Duration length : of.lengths()) {
            RetentionScan.Which which = new RetentionScan.Which(state, length.toString());
            each.take(() -> retentionScan.prune(
                    which,
                    terms.now(),
                    terms.last(state, length, of.lengths().last()),
                    (queue, kind) -> of.keep(queue, kind).compareTo(length) <= 0,
                    terms.maxSlices()));
        }
        return each.end();
    }

    private long pruneAllBut(long most, Rules rules, Instant now, int maxSlices) throws SQLException {
        Rules.OfState of = rules.of(JobState.COMPLETED);
        Optional<Instant> before = last.before(most, of, now.minus(of.others()));
        if (before.isEmpty()) {
            return 0;
        }
        Steps each = new Steps();
        each.take(() -> rules.say(JobState.COMPLETED)
                ? retentionScan.prune(
                        new RetentionScan.Which(JobState.COMPLETED, "all but the last"),
                        now,
                        before.get(),
                        (queue, kind) -> !of.isOwn(queue, kind),
                        maxSlices)
                : old.prune(JobState.COMPLETED, before.get()));
        for (PlacePruner place : places) {
            each.take(
                    () -> place.prune(queue -> rules.termsUpTo(queue, before.get()), removal::deleteLinked, maxSlices));
        }
        return each.end();
    }
}
