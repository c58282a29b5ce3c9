package dev.pawl.internal.watch;

import dev.pawl.admin.QueueStats;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.jdbc.SqlWork;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceProgress;
import dev.pawl.spi.Leader;
import dev.pawl.spi.Leadership;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.RunLengths;
import dev.pawl.spi.Sample;
import dev.pawl.spi.Series;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Takes samples and stores them in rows of {@code pawl_sample}. Thread-safe. */
public final class SqlSeries implements Series {
    private static final String TASK = "sample";
    private static final Duration HELD = Duration.ofSeconds(30);
    private static final Duration COARSE = Duration.ofMinutes(5);
    /** If more time than this has passed since the last sample, there is a gap in which the number of finished jobs is unknown. */
    private static final Duration LEAST_GAP = Duration.ofMinutes(1);
    /** The time between samples is at least this many times as long as a sample takes. */
    private static final int TIMES_ITS_COST = 20;
    /** Limits the effect of a single slow sample, which otherwise could leave a gap of hours. */
    private static final long MAX_COST_NANOS = Duration.ofSeconds(15).toNanos();

    private static final int FINE_STEP = 0;
    private static final int COARSE_STEP = 1;

    private final Database database;
    private final Dialect dialect;
    private final Leadership leadership;
    private final SqlWork<List<QueueStats>> stats;
    private final FinishedJobs ended;
    private List<PlaceProgress> places;
    private RunProgress runs;
    private long costNanos;
    private long lastToken;

    /**
     * @param database the pool and the dialect
     * @param leadership elects the process that samples
     * @param stats counts the queues
     */
    public SqlSeries(Database database, Leadership leadership, SqlWork<List<QueueStats>> stats) {
        this.database = database;
        this.dialect = database.dialect();
        this.leadership = leadership;
        this.stats = stats;
        this.ended = new FinishedJobs(dialect);
        this.places = JobPlaces.progress(dialect);
        this.runs = new RunProgress(dialect);
    }

    /** The times of the last samples, and the current time: microseconds by the database's clock. */
    private record Times(long now, long fine, long coarse) {}

    @Override
    public synchronized boolean take(String owner) {
        Optional<Leader> leader = leadership.hold(TASK, owner, HELD.plusNanos(TIMES_ITS_COST * costNanos));
        if (leader.isEmpty()) {
            return false;
        }
        return Failures.wrapped("cannot take a sample of the queues", () -> {
            Times times = database.autocommit(this::times);
            long wait = Math.max(Micros.of(STEP), TIMES_ITS_COST * costNanos / 1_000);
            // a sample that is a bit early is better than one that is late by a whole interval of the caller
            if (times.now - times.fine < wait * 9 / 10) {
                return false;
            }
            long before = System.nanoTime();
            if (leader.get().token() != lastToken) {
                places = JobPlaces.progress(dialect); // starts anew, because another process has counted since
                runs = new RunProgress(dialect);
            }
            long longest = Math.max(Micros.of(LEAST_GAP), 2 * wait); // slow samples have longer intervals, not gaps
            Duration span = Duration.of(Math.max(1, Math.min(times.now - times.fine, longest)), ChronoUnit.MICROS);
            List<QueueSample> queues = database.autocommit(connection -> sample(connection, span));
            List<RunLengths> lengths = database.autocommit(runs::count);
            write(FINE_STEP, times.now, span, SampleText.of(queues, lengths));
            lastToken = leader.get().token();
            if (times.now - times.coarse >= Micros.of(COARSE)) {
                coarse(times, queues);
            }
            costNanos = Math.min(System.nanoTime() - before, MAX_COST_NANOS);
            return true;
        });
    }

    private Times times(Connection connection) throws SQLException {
        Sql sql = dialect.statement("SELECT " + dialect.micros(dialect.now())
                + ", (SELECT " + dialect.micros("MAX(taken_at)") + " FROM pawl_sample WHERE resolution = 0),"
                + " (SELECT " + dialect.micros("MAX(taken_at)") + " FROM pawl_sample WHERE resolution = 1)");
        return sql.on(connection)
                .one(row -> new Times(row.getLong(1), row.getLong(2), row.getLong(3))); // null is read as 0
    }

    private List<QueueSample> sample(Connection connection, Duration span) throws SQLException {
        Map<String, Long> completed = new TreeMap<>(ended.count(connection, JobState.COMPLETED, span));
        for (PlaceProgress place : places) {
            place.count(connection).forEach((queue, jobs) -> completed.merge(queue, jobs, Long::sum));
        }
        Map<String, Long> discarded = new TreeMap<>(ended.count(connection, JobState.DISCARDED, span));
        List<QueueSample> queues = new ArrayList<>();
        for (QueueStats queue : stats.run(connection)) {
            queues.add(new QueueSample(
                    queue.name(),
                    queue.available(),
                    queue.delayed(),
                    queue.retrying(),
                    queue.running(),
                    queue.oldestAge(),
                    take(completed, queue.name()),
                    take(discarded, queue.name())));
        }
        TreeMap<String, Long> empty = new TreeMap<>(completed);
        discarded.forEach((queue, jobs) -> empty.putIfAbsent(queue, 0L));
        empty.forEach((queue, jobs) -> {
            if (jobs + discarded.getOrDefault(queue, 0L) > 0) {
                queues.add(new QueueSample(queue, 0, 0, 0, 0, null, jobs, discarded.getOrDefault(queue, 0L)));
            }
        });
        return queues;
    }

    private static long take(Map<String, Long> counts, String queue) {
        Long count = counts.remove(queue);
        return count == null ? 0 : count;
    }

    /**
     * Writes a coarse sample for all fine samples since the last coarse one: the current numbers, and the sum of the
     * finished jobs. Then deletes old samples.
     */
    private void coarse(Times times, List<QueueSample> now) throws SQLException {
        long since = Math.max(times.coarse, times.now - 2 * Micros.of(COARSE));
        Duration span = Duration.ZERO;
        Map<String, long[]> ends = new TreeMap<>();
        List<RunLengths> lengths = new ArrayList<>();
        for (Sample sample : database.autocommit(connection -> read(connection, FINE_STEP, since))) {
            span = span.plus(sample.span());
            lengths.addAll(sample.runs());
            for (QueueSample queue : sample.queues()) {
                long[] sum = ends.computeIfAbsent(queue.queue(), name -> new long[2]);
                sum[0] += queue.completed();
                sum[1] += queue.discarded();
            }
        }
        List<QueueSample> queues = new ArrayList<>();
        for (QueueSample queue : now) {
            queues.add(with(queue, ends.remove(queue.queue())));
        }
        ends.forEach((name, sum) -> queues.add(with(new QueueSample(name, 0, 0, 0, 0, null, 0, 0), sum)));
        write(COARSE_STEP, times.now, span, SampleText.of(queues, RunLengths.byKind(lengths)));
        delete(FINE_STEP, times.now - Micros.of(FINE));
        delete(COARSE_STEP, times.now - Micros.of(KEPT));
    }

    private static QueueSample with(QueueSample queue, long @Nullable [] ends) {
        return new QueueSample(
                queue.queue(),
                queue.available(),
                queue.delayed(),
                queue.retrying(),
                queue.running(),
                queue.oldestAge(),
                ends == null ? 0 : ends[0],
                ends == null ? 0 : ends[1]);
    }

    /** Writes a sample. If another process has written a sample in the same microsecond, that one is kept. */
    private void write(int step, long at, Duration span, String stats) throws SQLException {
        Sql sql = dialect.statement(dialect.insertIfMissing(
                "pawl_sample (resolution, taken_at, span, stats) VALUES (?, " + dialect.moment() + ", ?, ?)"));
        int unused = database.statement(connection ->
                sql.on(connection, step, moment(at), Micros.of(span), stats).update());
    }

    private void delete(int step, long before) throws SQLException {
        Sql sql = dialect.statement("DELETE FROM pawl_sample WHERE resolution = ? AND taken_at < " + dialect.moment());
        int unused = database.statement(
                connection -> sql.on(connection, step, moment(before)).update());
    }

    @Override
    public List<Sample> last(Duration length) {
        int step = length.compareTo(FINE) <= 0 ? FINE_STEP : COARSE_STEP;
        return Failures.wrapped(
                "cannot read the samples of the queues",
                () -> database.autocommit(connection -> {
                    long now = times(connection).now;
                    return read(connection, step, now - Micros.of(length));
                }));
    }

    private List<Sample> read(Connection connection, int step, long since) throws SQLException {
        Sql sql = dialect.statement("SELECT " + dialect.micros("taken_at")
                + ", span, stats FROM pawl_sample WHERE resolution = ? AND taken_at > " + dialect.moment()
                + " ORDER BY taken_at");
        return sql.on(connection, step, moment(since)).list(rows -> {
            SampleText.Stats stats = SampleText.read(rows.getString(3));
            return new Sample(
                    moment(rows.getLong(1)),
                    Duration.of(rows.getLong(2), ChronoUnit.MICROS),
                    stats.queues(),
                    stats.runs());
        });
    }

    private static Instant moment(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
