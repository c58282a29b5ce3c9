package dev.pawl.lab.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.StorageProviderUtils;
import org.jobrunr.storage.sql.common.DatabaseCreator;
import org.jobrunr.storage.sql.common.DefaultSqlStorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.storage.sql.mariadb.MariaDbDialect;
import org.jobrunr.storage.sql.mariadb.MariaDbStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;
import org.jspecify.annotations.Nullable;

/** JobRunr, the open-source edition: job requests (documented as faster than lambdas), the shortest poll interval allowed, bulk save. */
final class JobRunrContender implements Contender {
    private static final int POLL_SECONDS = 5;
    /** Its jobs are deserialized from JSON, so a static field is the only way to pass the trial's handler. */
    private static final AtomicReference<@Nullable Handler> HANDLER = new AtomicReference<>();

    private final Setup setup;
    private final HikariDataSource pool;
    private final StorageProvider storage;
    private final JsonMapper mapper = new Jackson3JsonMapper();
    private final JobRequestScheduler scheduler;

    JobRunrContender(Setup setup) throws SQLException {
        this.setup = setup;
        this.pool = setup.scratch().pool(setup.workers() + 8);
        this.storage =
                setup.scratch().product().equals("mariadb") ? forMariaDb(pool) : SqlStorageProviderFactory.using(pool);
        storage.setJobMapper(new org.jobrunr.jobs.mappers.JobMapper(mapper));
        JobRunrConfiguration configuration = JobRunr.configure();
        scheduler = configuration
                .useJsonMapper(mapper)
                .useStorageProvider(storage)
                .initialize()
                .getJobRequestScheduler();
    }

    /** JobRunr's MariaDB provider mistakes driver 4.0 for 3.0, which it refuses; this is the same provider without the check. */
    private static StorageProvider forMariaDb(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            DatabaseMetaData facts = connection.getMetaData();
            new DatabaseCreator(pool, MariaDbStorageProvider.class).runMigrations();
            return new DefaultSqlStorageProvider(
                    pool,
                    new MariaDbDialect(facts.getDatabaseProductName(), facts.getDatabaseProductVersion()),
                    StorageProviderUtils.DatabaseOptions.SKIP_CREATE);
        }
    }

    @Override
    public String settings() {
        return "JobRunr 8.7.0 (open source), " + setup.workers() + " workers, poll interval " + POLL_SECONDS
                + " s (its least), job requests, Jackson; enqueue of a stream";
    }

    @Override
    public void enqueue(int from, int to) {
        if (to == from + 1) {
            scheduler.enqueue(new Work(from, setup.pad()));
        } else {
            scheduler.enqueue(IntStream.range(from, to).mapToObj(n -> new Work(n, setup.pad())));
        }
    }

    @Override
    public Running start(Handler handler) {
        HANDLER.set(handler);
        BackgroundJobServer server = new BackgroundJobServer(
                storage,
                mapper,
                new Handlers(),
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollIntervalInSeconds(POLL_SECONDS)
                        .andWorkerCount(setup.workers()));
        server.start();
        return server::stop;
    }

    @Override
    public long unfinished() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT COUNT(*) FROM jobrunr_jobs WHERE state IN ('ENQUEUED', 'PROCESSING', 'FAILED')")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        JobRunr.destroy();
        pool.close();
    }

    /** Creates the handler directly, because it has no dependencies to look up. */
    private static final class Handlers implements JobActivator {
        @Override
        public <T> @Nullable T activateJob(Class<T> type) {
            return type == WorkHandler.class ? type.cast(new WorkHandler()) : null;
        }
    }

    /**
     * A job.
     *
     * @param n its number
     * @param pad padding
     */
    public record Work(int n, String pad) implements JobRequest {
        @Override
        public Class<WorkHandler> getJobRequestHandler() {
            return WorkHandler.class;
        }
    }

    /** Runs a job. */
    public static final class WorkHandler implements JobRequestHandler<Work> {
        @Override
        public void run(Work work) throws Exception {
            Handler handler = HANDLER.get();
            if (handler != null) {
                handler.run(work.n());
                handler.done(work.n());
            }
        }
    }
}
