package dev.pawl.lab.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/** Quartz with its JDBC store, clustered. While it holds its lock, it acquires as many triggers at once as it has threads. */
final class QuartzContender implements Contender {
    private static final int STORED_AT_ONCE = 500;
    /** Quartz creates the jobs itself; they look up the trial's handler by the name of their scheduler. */
    private static final ConcurrentMap<String, Handler> HANDLERS = new ConcurrentHashMap<>();

    private final Setup setup;
    private final String name = "lab-" + UUID.randomUUID();
    private final HikariDataSource pool;
    private final Scheduler scheduler;

    QuartzContender(Setup setup) throws Exception {
        this.setup = setup;
        this.pool = setup.scratch().pool(setup.workers() + 6);
        create();
        DBConnectionManager.getInstance().addConnectionProvider(name, new Connections(pool));
        scheduler = new StdSchedulerFactory(properties()).getScheduler();
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "org.quartz.scheduler.instanceName", name,
                "org.quartz.scheduler.instanceId", "AUTO",
                "org.quartz.scheduler.batchTriggerAcquisitionMaxCount", Integer.toString(setup.workers()),
                "org.quartz.threadPool.threadCount", Integer.toString(setup.workers()),
                "org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX",
                "org.quartz.jobStore.dataSource", name,
                "org.quartz.jobStore.isClustered", "true",
                "org.quartz.jobStore.acquireTriggersWithinLock", "true",
                "org.quartz.jobStore.useProperties", "true"));
        properties.put(
                "org.quartz.jobStore.driverDelegateClass",
                setup.scratch().product().equals("postgresql")
                        ? "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate"
                        : "org.quartz.impl.jdbcjobstore.StdJDBCDelegate");
        properties.put("org.quartz.jobStore.misfireThreshold", "3600000"); // a backlog must not count as a misfire
        return properties;
    }

    @Override
    public String settings() {
        return "Quartz 2.5.2, JobStoreTX, clustered, " + setup.workers() + " threads, acquires up to " + setup.workers()
                + " triggers at once within its lock, useProperties; scheduleJobs by " + STORED_AT_ONCE;
    }

    private void create() throws SQLException, IOException {
        String file = "/org/quartz/impl/jdbcjobstore/"
                + (setup.scratch().product().equals("postgresql") ? "tables_postgres.sql" : "tables_mysql_innodb.sql");
        try (InputStream input = Scheduler.class.getResourceAsStream(file);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            if (input == null) {
                throw new IOException("Quartz has no " + file);
            }
            String script =
                    new String(input.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^\\s*(--|#).*$", "");
            for (String sql : script.split(";", -1)) {
                if (!sql.isBlank() && !sql.strip().equalsIgnoreCase("commit")) {
                    statement.execute(sql);
                }
            }
        }
    }

    @Override
    public void enqueue(int from, int to) throws SchedulerException {
        schedule(from, to, Instant.now());
    }

    private void schedule(int from, int to, Instant at) throws SchedulerException {
        Map<JobDetail, Set<? extends Trigger>> jobs = new LinkedHashMap<>();
        for (int n = from; n < to; n++) {
            JobDetail job = JobBuilder.newJob(Work.class)
                    .withIdentity(Integer.toString(n))
                    .usingJobData("payload", setup.payload(n))
                    .build();
            Trigger trigger = TriggerBuilder.newTrigger()
                    .withIdentity(Integer.toString(n))
                    .startAt(Date.from(at))
                    .build();
            jobs.put(job, Set.of(trigger));
            if (jobs.size() == STORED_AT_ONCE || n == to - 1) {
                scheduler.scheduleJobs(jobs, false);
                jobs.clear();
            }
        }
    }

    @Override
    public Running start(Handler handler) throws SchedulerException {
        HANDLERS.put(name, handler);
        scheduler.start();
        return () -> stop(true);
    }

    @Override
    public long unfinished() throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("SELECT COUNT(*) FROM QRTZ_TRIGGERS WHERE NEXT_FIRE_TIME < ?")) {
            statement.setLong(1, System.currentTimeMillis() + 1_800_000);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Override
    public void close() {
        stop(false);
        Handler unused = HANDLERS.remove(name);
        pool.close();
    }

    private void stop(boolean waiting) {
        try {
            if (!scheduler.isShutdown()) {
                scheduler.shutdown(waiting);
            }
        } catch (SchedulerException e) {
            throw new IllegalStateException("Quartz does not stop", e);
        }
    }

    private record Connections(HikariDataSource pool) implements ConnectionProvider {
        @Override
        public Connection getConnection() throws SQLException {
            return pool.getConnection();
        }

        @Override
        public void shutdown() {}

        @Override
        public void initialize() {}
    }

    /** A job; Quartz creates one instance for each execution. */
    public static final class Work implements Job {
        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            try {
                @Nullable Handler handler = HANDLERS.get(context.getScheduler().getSchedulerName());
                if (handler != null) {
                    int number =
                            Integer.parseInt(context.getJobDetail().getKey().getName());
                    handler.run(number);
                    handler.done(number);
                }
            } catch (Exception e) {
                throw new JobExecutionException(e);
            }
        }
    }
}
