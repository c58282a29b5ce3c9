package dev.pawl.importer.movein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.serializer.GsonSerializer;
import com.github.kagkarlsson.scheduler.serializer.JavaSerializer;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.PlainScheduleAndData;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTaskWithPersistentSchedule;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import com.github.kagkarlsson.scheduler.task.schedule.Schedules;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.cli.ImportLine;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.ScheduleInfo;
import dev.pawl.servers.Delay;
import java.io.Serializable;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(180)
@ResourceLock(value = "the embedded MariaDB", mode = ResourceAccessMode.READ)
class DbSchedulerImportTest {
    private static final int JOBS = 250;
    private static final ZoneId ROME = ZoneId.of("Europe/Rome");
    private static final Map<String, String> MAIL = Map.of("mail", "mail.send");

    /** The data of a db-scheduler job. */
    static final class Mail implements Serializable {
        private static final long serialVersionUID = 1L;
        private final int number;
        private final String to;

        Mail(int number, String to) {
            this.number = number;
            this.to = to;
        }

        int number() {
            return number;
        }

        @Override
        public String toString() {
            return number + to;
        }
    }

    private final ConcurrentLinkedQueue<Integer> ranThere = new ConcurrentLinkedQueue<>();
    private final OneTimeTask<Mail> mail = Tasks.oneTime("mail", Mail.class)
            .execute((instance, context) -> ranThere.add(instance.getData().number()));
    private final RecurringTask<Void> inProgram =
            Tasks.recurring("in-program", Schedules.cron("0 0 3 * * *", ROME)).execute((instance, context) -> {});
    private final RecurringTaskWithPersistentSchedule<PlainScheduleAndData> inTable =
            Tasks.recurringWithPersistentSchedule("in-table", PlainScheduleAndData.class)
                    .execute((instance, context) -> {});

    private Scheduler scheduler(Move move, Serializer serializer) throws SQLException {
        boolean postgres = move.pool().getJdbcUrl().contains("postgresql");
        String moment = postgres ? "timestamptz" : "timestamp(6)";
        move.execute(
                "CREATE TABLE scheduled_tasks (task_name varchar(100) NOT NULL, task_instance varchar(100) NOT NULL,"
                        + " task_data " + (postgres ? "bytea" : "blob") + ", execution_time " + moment
                        + " NOT NULL, picked boolean NOT NULL, picked_by varchar(50), last_success " + moment
                        + " NULL, last_failure " + moment + " NULL, consecutive_failures int, last_heartbeat " + moment
                        + " NULL, version bigint NOT NULL, priority smallint, PRIMARY KEY (task_name, task_instance))");
        return Scheduler.create(move.pool(), mail, inTable)
                .startTasks(inProgram)
                .serializer(serializer)
                .pollingInterval(Duration.ofMillis(20))
                .threads(4)
                .build();
    }

    private void schedule(Scheduler scheduler, Instant at) {
        scheduler.scheduleBatch(
                IntStream.range(0, JOBS)
                        .mapToObj(n -> mail.instance(Integer.toString(n), new Mail(n, "ada")))
                        .map(each -> each),
                at);
    }

    private static Stream<Serializer> serializers() {
        return Stream.of(new JavaSerializer(), new GsonSerializer());
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#products")
    void takesOverEachJobOnce(String database) throws Exception {
        for (Serializer serializer : serializers().toList()) {
            try (Move move = Move.on(database)) {
                Scheduler scheduler = scheduler(move, serializer);
                schedule(scheduler, Instant.now());

                List<ImportLine> dry = move.dryRun("db-scheduler");
                assertThat(Move.count(dry, ImportLine.Result.IMPORTED))
                        .as(Move.notes(dry))
                        .isEqualTo(JOBS);
                assertThat(move.rows("scheduled_tasks")).isEqualTo(JOBS);
                assertThat(move.jobs()).isZero();

                List<ImportLine> real = move.take("db-scheduler", MAIL);
                assertThat(Move.count(real, ImportLine.Result.IMPORTED))
                        .as(Move.notes(real))
                        .isEqualTo(JOBS);
                assertThat(move.rows("scheduled_tasks")).isZero();
                assertThat(move.take("db-scheduler", MAIL)).isEmpty();

                assertThat(move.run("mail.send"))
                        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, JOBS)
                                .mapToObj(n -> "{\"number\":" + n + ",\"to\":\"ada\"}")
                                .toList());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#products")
    void repeatedCopiesCopyEachJobOnce(String database) throws Exception {
        try (Move move = Move.on(database)) {
            schedule(scheduler(move, new GsonSerializer()), Instant.now());
            assertThat(Move.count(move.copy("db-scheduler", MAIL), ImportLine.Result.IMPORTED))
                    .isEqualTo(JOBS);
            assertThat(move.run("mail.send")).hasSize(JOBS);
            // nothing is copied again, even as another kind, and after the history was deleted
            move.execute("DELETE FROM pawl_job_history");
            List<ImportLine> again = move.copy("db-scheduler", Map.of("mail", "other"));
            assertThat(Move.count(again, ImportLine.Result.ALREADY))
                    .as(Move.notes(again))
                    .isEqualTo(JOBS);
            assertThat(move.rows("scheduled_tasks")).isEqualTo(JOBS);
            assertThat(Move.count(move.take("db-scheduler", MAIL), ImportLine.Result.ALREADY))
                    .isEqualTo(JOBS);
            assertThat(move.run("mail.send")).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#products")
    void jobsKeepTheirDueTime(String database) throws Exception {
        Instant later = Instant.parse("2030-07-01T12:34:56.789Z");
        try (Move move = Move.on(database)) {
            scheduler(move, new GsonSerializer()).schedule(mail.instance("1", new Mail(1, "ada")), later);
            assertThat(Move.count(move.take("db-scheduler", MAIL), ImportLine.Result.IMPORTED))
                    .isOne();
            Job job = move.queue().admin().jobs().list(JobFilter.ALL).get(0);
            assertThat(job.availableAt().truncatedTo(ChronoUnit.MILLIS)).isEqualTo(later);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#products")
    void bothSystemsRunSideBySide(String database) throws Exception {
        try (Move move = Move.on(database)) {
            Scheduler scheduler = scheduler(move, new GsonSerializer());
            schedule(scheduler, Instant.now());
            ConcurrentLinkedQueue<String> ranHere = new ConcurrentLinkedQueue<>();
            scheduler.start();
            try (Worker worker = move.worker("mail.send", ranHere)) {
                while (move.rows("scheduled_tasks") > 1) { // the task defined in the program stays
                    move.take("db-scheduler", MAIL);
                }
                assertThat(worker.awaitIdle(Duration.ofSeconds(60))).isTrue();
            } finally {
                scheduler.stop();
            }
            List<Integer> all = Stream.concat(
                            ranThere.stream(),
                            ranHere.stream().map(payload -> Integer.valueOf(payload.replaceAll("\\D", ""))))
                    .toList();
            assertThat(all)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, JOBS).boxed().toList());
        }
    }

    @Test
    void failedImportsContinue() throws Exception {
        AtomicInteger jobs = new AtomicInteger();
        try (Move move = Move.on("postgresql", job -> {
            if (jobs.incrementAndGet() == JOBS / 2) {
                throw new IllegalStateException("the power is gone");
            }
            return job;
        })) {
            schedule(scheduler(move, new GsonSerializer()), Instant.now());
            assertThatThrownBy(() -> move.take("db-scheduler", MAIL)).hasMessageContaining("the power is gone");
            assertThat(move.jobs()).isPositive().isLessThan(JOBS);
            assertThat(move.jobs() + move.rows("scheduled_tasks")).isEqualTo(JOBS);
            move.take("db-scheduler", MAIL);
            assertThat(move.run("mail.send")).hasSize(JOBS).doesNotHaveDuplicates();
        }
    }

    /**
     * Each transaction imports 100 rows. When the process is killed, the second transaction is open, and has deleted its rows from the
     * other library's table.
     */
    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#products")
    void killedImportsContinue(String database) throws Exception {
        try (Move move = Move.on(database)) {
            schedule(scheduler(move, new GsonSerializer()), Instant.now());
            move.killedAt(150, "db-scheduler", MAIL, false);
            assertThat(move.jobs()).isEqualTo(100);
            assertThat(move.rows("scheduled_tasks")).isEqualTo(JOBS - 100);
            assertThat(Move.count(move.take("db-scheduler", MAIL), ImportLine.Result.IMPORTED))
                    .isEqualTo(JOBS - 100);
            assertThat(move.rows("scheduled_tasks")).isZero();
            assertThat(move.run("mail.send")).hasSize(JOBS).doesNotHaveDuplicates();
        }
    }

    @Test
    void killedCopiesContinue() throws Exception {
        try (Move move = Move.on("postgresql")) {
            schedule(scheduler(move, new GsonSerializer()), Instant.now());
            move.killedAt(150, "db-scheduler", MAIL, true);
            assertThat(move.jobs()).isEqualTo(100);
            List<ImportLine> rest = move.copy("db-scheduler", MAIL);
            assertThat(Move.count(rest, ImportLine.Result.IMPORTED)).isEqualTo(JOBS - 100);
            assertThat(Move.count(rest, ImportLine.Result.ALREADY)).isEqualTo(100);
            assertThat(move.run("mail.send")).hasSize(JOBS).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#products")
    void persistentSchedulesAreImported(String database) throws Exception {
        for (Serializer serializer : serializers().toList()) {
            try (Move move = Move.on(database)) {
                Scheduler scheduler = scheduler(move, serializer);
                scheduler.schedule(inTable.schedulableInstance(
                        "cron", new PlainScheduleAndData(Schedules.cron("0 0 3 ? * MON-FRI", ROME), "a")));
                scheduler.schedule(
                        inTable.schedulableInstance("pause", new PlainScheduleAndData(FixedDelay.ofMinutes(5), "b")));
                scheduler.schedule(inTable.schedulableInstance(
                        "daily", new PlainScheduleAndData(Schedules.daily(ROME, java.time.LocalTime.NOON), "c")));
                scheduler.start(); // writes the row of the task that is defined in the program
                Delay.poll(100); // db-scheduler sends no signal
                scheduler.stop();

                List<ImportLine> lines = move.take("db-scheduler", Map.of());
                assertThat(Move.count(lines, ImportLine.Result.IMPORTED))
                        .as(Move.notes(lines))
                        .isEqualTo(2);
                assertThat(lines.stream()
                                .filter(line -> line.result() == ImportLine.Result.REFUSED)
                                .map(line -> line.id() + ": " + line.note()))
                        .satisfiesExactlyInAnyOrder(
                                daily -> assertThat(daily)
                                        .contains("in-table/daily", "Daily".toLowerCase(java.util.Locale.ROOT)),
                                code -> assertThat(code).contains("in-program/recurring", "in the program"));
                ScheduleInfo cron =
                        move.queue().schedules().find("in-table.cron").orElseThrow();
                assertThat(cron.text()).isEqualTo("0 0 3 ? * MON-FRI in Europe/Rome");
                assertThat(cron.overlap()).isEqualTo(Overlap.SKIP);
                assertThat(cron.payload()).isEqualTo("\"a\"");
                assertThat(move.queue()
                                .schedules()
                                .find("in-table.pause")
                                .orElseThrow()
                                .text())
                        .isEqualTo("PT5M after its end");
                assertThat(move.rows("scheduled_tasks")).isEqualTo(2);
                assertThat(Move.count(move.take("db-scheduler", Map.of()), ImportLine.Result.IMPORTED))
                        .isZero();
            }
        }
    }
}
