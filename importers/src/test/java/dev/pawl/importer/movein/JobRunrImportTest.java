package dev.pawl.importer.movein;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.admin.JobFilter;
import dev.pawl.cli.ImportLine;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.ScheduleInfo;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration.JobRunrConfigurationResult;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.JobId;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.cron.CronExpression;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.StorageProviderUtils;
import org.jobrunr.storage.sql.common.DatabaseCreator;
import org.jobrunr.storage.sql.common.DefaultSqlStorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.storage.sql.mariadb.MariaDbDialect;
import org.jobrunr.storage.sql.mariadb.MariaDbStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.gson.GsonJsonMapper;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(180)
@ResourceLock("JobRunr, a singleton of the process")
@ResourceLock(value = "the embedded MariaDB", mode = ResourceAccessMode.READ)
class JobRunrImportTest {
    private static final int JOBS = 120;
    private static final ZoneId ROME = ZoneId.of("Europe/Rome");
    private static final String REQUESTS = MailHandler.class.getName() + ".run";
    private static final String CALLS = Mailer.class.getName() + ".send";
    private static final Map<String, String> KINDS = Map.of(REQUESTS, "mail.request", CALLS, "mail.call");

    /** A service whose methods JobRunr calls. */
    public static class Mailer {
        /** Stands for sending a mail. */
        public void send(String to, Integer number) {}
    }

    /**
     * A job request.
     *
     * @param number of the mail
     * @param at a moment, whose JSON depends on the mapper
     */
    public record MailRequest(int number, Instant at) implements JobRequest {
        @Override
        public Class<MailHandler> getJobRequestHandler() {
            return MailHandler.class;
        }
    }

    /** Runs the request. */
    public static final class MailHandler implements JobRequestHandler<MailRequest> {
        @Override
        public void run(MailRequest request) {}
    }

    private static JobRunrConfigurationResult jobRunr(Move move, JsonMapper mapper) throws SQLException {
        return JobRunr.configure()
                .useJsonMapper(mapper)
                .useStorageProvider(storage(move, mapper))
                .initialize();
    }

    private static StorageProvider storage(Move move, JsonMapper mapper) throws SQLException {
        StorageProvider storage = move.pool().getJdbcUrl().contains("mariadb")
                ? forMariaDb(move.pool())
                : SqlStorageProviderFactory.using(move.pool());
        storage.setJobMapper(new JobMapper(mapper));
        return storage;
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

    private static List<JsonMapper> mappers() {
        return List.of(new Jackson3JsonMapper(), new GsonJsonMapper());
    }

    private static String at(JsonMapper mapper) {
        return mapper.serialize(Instant.EPOCH);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#products")
    void takesOverEachJobOnce(String database) throws Exception {
        for (JsonMapper mapper : mappers()) {
            try (Move move = Move.on(database)) {
                JobRunrConfigurationResult jobRunr = jobRunr(move, mapper);
                jobRunr.getJobRequestScheduler()
                        .enqueue(IntStream.range(0, JOBS).mapToObj(n -> new MailRequest(n, Instant.EPOCH)));
                Integer seven = 7;
                String ada = "ada";
                jobRunr.getJobScheduler().<Mailer>enqueue(mailer -> mailer.send(ada, seven));
                Instant later = Instant.parse("2030-01-01T00:00:00.123456Z");
                jobRunr.getJobScheduler().<Mailer>schedule(later, mailer -> mailer.send(ada, seven));

                List<ImportLine> dry = move.dryRun("jobrunr");
                assertThat(Move.count(dry, ImportLine.Result.IMPORTED))
                        .as(Move.notes(dry))
                        .isEqualTo(JOBS + 2);
                assertThat(move.rows("jobrunr_jobs")).isEqualTo(JOBS + 2);
                assertThat(move.jobs()).isZero();

                List<ImportLine> real = move.take("jobrunr", KINDS);
                assertThat(Move.count(real, ImportLine.Result.IMPORTED))
                        .as(Move.notes(real))
                        .isEqualTo(JOBS + 2);
                assertThat(move.rows("jobrunr_jobs")).isZero();
                assertThat(move.take("jobrunr", KINDS)).isEmpty();

                assertThat(move.run("mail.request"))
                        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, JOBS)
                                .mapToObj(n -> "{\"number\":" + n + ",\"at\":" + at(mapper) + "}")
                                .toList());
                assertThat(move.run("mail.call")).containsExactly("{\"method\":\"send\",\"arguments\":[\"ada\",7]}");
                assertThat(move.queue().admin().jobs().list(JobFilter.ALL.limit(1000)))
                        .filteredOn(job -> job.finishedAt() == null)
                        .singleElement()
                        .satisfies(job -> assertThat(job.availableAt()).isEqualTo(later));
            } finally {
                JobRunr.destroy();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#products")
    void repeatedCopiesCopyEachJobOnce(String database) throws Exception {
        try (Move move = Move.on(database)) {
            jobRunr(move, new Jackson3JsonMapper())
                    .getJobRequestScheduler()
                    .enqueue(IntStream.range(0, JOBS).mapToObj(n -> new MailRequest(n, Instant.EPOCH)));
            assertThat(Move.count(move.copy("jobrunr", KINDS), ImportLine.Result.IMPORTED))
                    .isEqualTo(JOBS);
            assertThat(Move.count(move.copy("jobrunr", Map.of()), ImportLine.Result.ALREADY))
                    .isEqualTo(JOBS);
            assertThat(move.rows("jobrunr_jobs")).isEqualTo(JOBS);
            assertThat(move.run("mail.request")).hasSize(JOBS);
        } finally {
            JobRunr.destroy();
        }
    }

    @Test
    void killedImportsContinue() throws Exception {
        try (Move move = Move.on("postgresql")) {
            jobRunr(move, new Jackson3JsonMapper())
                    .getJobRequestScheduler()
                    .enqueue(IntStream.range(0, JOBS).mapToObj(n -> new MailRequest(n, Instant.EPOCH)));
            move.killedAt(110, "jobrunr", KINDS, false);
            assertThat(move.jobs()).isEqualTo(100);
            assertThat(move.rows("jobrunr_jobs")).isEqualTo(JOBS - 100);
            assertThat(Move.count(move.take("jobrunr", KINDS), ImportLine.Result.IMPORTED))
                    .isEqualTo(JOBS - 100);
            assertThat(move.rows("jobrunr_jobs")).isZero();
            assertThat(move.run("mail.request")).hasSize(JOBS).doesNotHaveDuplicates();
        } finally {
            JobRunr.destroy();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#products")
    void recurringJobsBecomeSchedules(String database) throws Exception {
        for (JsonMapper mapper : mappers()) {
            try (Move move = Move.on(database)) {
                JobRunrConfigurationResult jobRunr = jobRunr(move, mapper);
                Integer seven = 7;
                String ada = "ada";
                jobRunr.getJobScheduler()
                        .<Mailer>scheduleRecurrently("nightly", "0 3 * * 1-5", ROME, mailer -> mailer.send(ada, seven));
                jobRunr.getJobRequestScheduler()
                        .scheduleRecurrently("often", Duration.ofMinutes(15), new MailRequest(1, Instant.EPOCH));
                List<ImportLine> lines = move.take("jobrunr", KINDS);
                assertThat(Move.count(lines, ImportLine.Result.IMPORTED))
                        .as(Move.notes(lines))
                        .isEqualTo(2);
                ScheduleInfo nightly = move.queue().schedules().find("nightly").orElseThrow();
                assertThat(nightly.text()).isEqualTo("0 3 * * 1-5 in Europe/Rome");
                assertThat(nightly.kind()).isEqualTo("mail.call");
                assertThat(move.queue().schedules().find("often").orElseThrow().text())
                        .isEqualTo("every PT15M");
                assertThat(move.rows("jobrunr_recurring_jobs")).isZero();
                assertThat(move.take("jobrunr", KINDS)).isEmpty();
            } finally {
                JobRunr.destroy();
            }
        }
    }

    /** Expressions are imported as they are, so both libraries must compute the same ticks. */
    @Test
    void cronExpressionsHaveTheSameMeaning() {
        List<String> differ = new ArrayList<>();
        for (String cron : List.of(
                "*/5 * * * *",
                "0 3 * * *",
                "0 3 * * 1-5",
                "15,45 8-18 * * MON-FRI",
                "0 0 1 * *",
                "0 0 1 */3 *",
                "30 4 1,15 * 5",
                "0 0 l * *",
                "0 12 * * 0",
                "*/10 * * * * *",
                "0 0 29 2 *",
                "0 0 * * 5l")) {
            Instant there = Instant.parse("2026-01-01T00:00:30Z");
            Instant here = there;
            try {
                Recurrence ours = Recurrence.cron(cron);
                for (int i = 0; i < 50; i++) {
                    there = new CronExpression(cron).next(there, there, ZoneId.of("UTC"));
                    here = ours.next(here, here);
                    if (!there.equals(here)) {
                        differ.add(cron + ": " + there + " there, " + here + " here");
                        break;
                    }
                }
            } catch (RuntimeException e) {
                differ.add(cron + ": " + e.getMessage());
            }
        }
        assertThat(differ).isEmpty();
    }

    @Test
    void jobsOfImportedSchedulesAreNotImported() throws Exception {
        try (Move move = Move.on("postgresql")) {
            JobRunrConfigurationResult jobRunr = jobRunr(move, new Jackson3JsonMapper());
            Integer seven = 7;
            String ada = "ada";
            jobRunr.getJobScheduler()
                    .<Mailer>scheduleRecurrently("nightly", "0 3 * * *", ROME, mailer -> mailer.send(ada, seven));
            jobRunr.getJobScheduler()
                    .<Mailer>schedule(Instant.parse("2030-01-01T02:00:00Z"), mailer -> mailer.send(ada, seven));
            move.execute("UPDATE jobrunr_jobs SET recurringJobId = 'nightly'");
            List<ImportLine> lines = move.take("jobrunr", KINDS);
            assertThat(Stream.of(ImportLine.Result.values()).map(result -> Move.count(lines, result)))
                    .containsExactly(1L, 0L, 1L, 0L);
            assertThat(move.jobs()).isZero();
            assertThat(move.rows("jobrunr_jobs")).isZero();
        } finally {
            JobRunr.destroy();
        }
    }

    @Test
    void retriesAndOverdueJobsOfImportedSchedulesAreImported() throws Exception {
        for (JsonMapper mapper : mappers()) {
            try (Move move = Move.on("sqlite")) {
                JobRunrConfigurationResult jobRunr = jobRunr(move, mapper);
                Integer seven = 7;
                String ada = "ada";
                jobRunr.getJobScheduler()
                        .<Mailer>scheduleRecurrently("nightly", "0 3 * * *", ROME, mailer -> mailer.send(ada, seven));
                jobRunr.getJobScheduler()
                        .<Mailer>schedule(Instant.parse("2020-01-01T02:00:00Z"), mailer -> mailer.send(ada, seven));
                JobId failed = jobRunr.getJobScheduler().<Mailer>enqueue(mailer -> mailer.send(ada, seven));
                StorageProvider storage = storage(move, mapper);
                Job job = storage.getJobById(failed);
                job.failed("an exception occurred", new IllegalStateException("no mail server"));
                Instant retry = Instant.parse("2030-01-01T02:10:00Z");
                job.scheduleAt(retry, "Retry 1 of 10");
                storage.save(job);
                move.execute("UPDATE jobrunr_jobs SET recurringJobId = 'nightly'");

                List<ImportLine> lines = move.take("jobrunr", KINDS);
                assertThat(Move.count(lines, ImportLine.Result.IMPORTED))
                        .as(Move.notes(lines))
                        .isEqualTo(3);
                assertThat(move.rows("jobrunr_jobs")).isZero();
                assertThat(move.queue().admin().jobs().list(JobFilter.ALL))
                        .hasSize(2)
                        .filteredOn(each -> each.availableAt().equals(retry))
                        .hasSize(1);
            } finally {
                JobRunr.destroy();
            }
        }
    }
}
