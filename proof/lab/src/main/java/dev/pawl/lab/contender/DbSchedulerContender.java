package dev.pawl.lab.contender;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** db-scheduler, configured as its page on performance advises: lock-and-fetch where supported, scheduling in batches. */
final class DbSchedulerContender implements Contender {
    private static final String TASK = "work";

    private final Setup setup;
    private final HikariDataSource pool;
    private final AtomicReference<@Nullable Handler> handler = new AtomicReference<>();
    /** Enqueues all jobs, and is the first of the schedulers that run them. */
    private final Scheduler scheduler;

    private final List<Scheduler> schedulers = new ArrayList<>();
    private final List<HikariDataSource> pools = new ArrayList<>();

    DbSchedulerContender(Setup setup) throws SQLException {
        this.setup = setup;
        this.pool = setup.scratch().pool(setup.workers() + 4);
        create();
        if (Variant.TRANSACTION.in(setup.system())) {
            Effect.create(pool);
        }
        scheduler = scheduler(pool, setup.handlers(0));
        schedulers.add(scheduler);
        for (int i = 1; i < setup.spread(); i++) {
            HikariDataSource own = setup.scratch().pool(Setup.SMALL_POOL);
            pools.add(own);
            schedulers.add(scheduler(own, setup.handlers(i)));
        }
    }

    private Scheduler scheduler(HikariDataSource from, int threads) {
        boolean inTransaction = Variant.TRANSACTION.in(setup.system());
        OneTimeTask<String> task = Tasks.oneTime(TASK, String.class).execute((instance, context) -> {
            try {
                int job = Integer.parseInt(instance.getId());
                handler().run(job);
                if (inTransaction) {
                    Effect.insertOnce(from, job);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        SchedulerBuilder builder = Scheduler.create(from, task)
                .threads(threads)
                .pollingInterval(Duration.ofSeconds(1))
                .serializer(new Text())
                .alwaysPersistTimestampInUTC()
                .enableImmediateExecution()
                .addSchedulerListener(new AbstractSchedulerListener() {
                    @Override
                    public void onExecutionComplete(ExecutionComplete complete) {
                        handler()
                                .done(Integer.parseInt(
                                        complete.getExecution().taskInstance.getId()));
                    }
                });
        return (locksAndFetches() ? builder.pollUsingLockAndFetch(4, 20) : builder.pollUsingFetch(0.5, 20)).build();
    }

    /** Whether db-scheduler's table of databases lists lock-and-fetch: it does for PostgreSQL and MySQL, not for MariaDB. */
    private boolean locksAndFetches() {
        return !setup.scratch().product().equals("mariadb");
    }

    private Handler handler() {
        Handler set = handler.get();
        if (set == null) {
            throw new IllegalStateException("not started");
        }
        return set;
    }

    @Override
    public String settings() {
        return "db-scheduler 16.12.0, " + setup.handlersText() + ", "
                + (locksAndFetches()
                        ? "lock-and-fetch with limits 4 and 20"
                        : "fetch with limits 0.5 and 20 (no lock-and-fetch for MariaDB)")
                + ", polling interval 1 s, immediate execution, text as data; scheduleBatch"
                + (Variant.TRANSACTION.in(setup.system())
                        ? "; it completes a job in a transaction of its own, so the handler's adds a marker to the row"
                        : "");
    }

    private void create() throws SQLException {
        boolean postgres = setup.scratch().product().equals("postgresql");
        String moment = postgres ? "timestamptz" : "timestamp(6)";
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE scheduled_tasks (task_name varchar(100) NOT NULL,"
                    + " task_instance varchar(100) NOT NULL, task_data " + (postgres ? "bytea" : "blob")
                    + ", execution_time " + moment + " NOT NULL, picked boolean NOT NULL, picked_by varchar(50),"
                    + " last_success " + moment + " NULL, last_failure " + moment + " NULL, consecutive_failures int,"
                    + " last_heartbeat " + moment + " NULL, version bigint NOT NULL, priority smallint,"
                    + " PRIMARY KEY (task_name, task_instance))");
            statement.execute("CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)");
            statement.execute("CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
        }
    }

    @Override
    public void enqueue(int from, int to) {
        schedule(from, to, Variant.DUE.in(setup.system()) ? Setup.due(to - from) : Instant.now());
    }

    private void schedule(int from, int to, Instant at) {
        Stream<TaskInstance<?>> instances = IntStream.range(from, to)
                .mapToObj(n -> new TaskInstance<>(TASK, Integer.toString(n), setup.payload(n)));
        scheduler.scheduleBatch(instances, at);
    }

    @Override
    public Running start(Handler newHandler) {
        handler.set(newHandler);
        schedulers.forEach(Scheduler::start);
        return () -> schedulers.parallelStream().forEach(Scheduler::stop);
    }

    @Override
    public long unfinished() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT COUNT(*) FROM scheduled_tasks WHERE execution_time < CURRENT_TIMESTAMP + INTERVAL "
                                + (setup.scratch().isMySql() ? "30 MINUTE" : "'30 min'"))) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        pool.close();
        pools.forEach(HikariDataSource::close);
    }

    /** Text as bytes, like the output of db-scheduler's JSON serializers, without their cost. */
    private static final class Text implements Serializer {
        @Override
        public byte[] serialize(Object data) {
            return data.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T deserialize(Class<T> type, byte[] data) {
            return type.cast(new String(data, StandardCharsets.UTF_8));
        }
    }
}
