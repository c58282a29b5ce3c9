package dev.pawl.importer.movein;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.cli.ImportLine;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.ScheduleInfo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.quartz.CalendarIntervalScheduleBuilder;
import org.quartz.CronExpression;
import org.quartz.CronScheduleBuilder;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

@Timeout(180)
@ResourceLock(value = "the embedded MariaDB", mode = ResourceAccessMode.READ)
class QuartzImportTest {
    private static final int JOBS = 150;
    private static final String MAIL = Mail.class.getName();
    private static final Map<String, String> KINDS = Map.of(MAIL, "mail.send");
    /** Static, because Quartz instantiates {@link Mail} itself, so a job has no reference to the test. */
    private static final ConcurrentLinkedQueue<String> RAN_THERE = new ConcurrentLinkedQueue<>();

    /** A job of Quartz. */
    public static final class Mail implements org.quartz.Job {
        @Override
        public void execute(JobExecutionContext context) {
            RAN_THERE.add(context.getScheduler().hashCode() + "/"
                    + context.getMergedJobDataMap().getString("number"));
        }
    }

    /** A job that never runs twice at once. */
    @DisallowConcurrentExecution
    public static final class Report implements org.quartz.Job {
        @Override
        public void execute(JobExecutionContext context) {}
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

    private static Scheduler quartz(Move move, boolean asProperties)
            throws SQLException, IOException, SchedulerException {
        boolean postgres = move.pool().getJdbcUrl().contains("postgresql");
        String file = "/org/quartz/impl/jdbcjobstore/" + (postgres ? "tables_postgres.sql" : "tables_mysql_innodb.sql");
        try (InputStream input = Objects.requireNonNull(Scheduler.class.getResourceAsStream(file))) {
            String script =
                    new String(input.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^\\s*(--|#).*$", "");
            for (String sql : script.split(";", -1)) {
                if (!sql.isBlank() && !sql.strip().equalsIgnoreCase("commit")) {
                    move.execute(sql);
                }
            }
        }
        String name = "move-" + UUID.randomUUID();
        DBConnectionManager.getInstance().addConnectionProvider(name, new Connections(move.pool()));
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "org.quartz.scheduler.instanceName",
                name,
                "org.quartz.scheduler.instanceId",
                "AUTO",
                "org.quartz.threadPool.threadCount",
                "4",
                "org.quartz.jobStore.class",
                "org.quartz.impl.jdbcjobstore.JobStoreTX",
                "org.quartz.jobStore.dataSource",
                name,
                "org.quartz.jobStore.isClustered",
                "true",
                "org.quartz.jobStore.useProperties",
                Boolean.toString(asProperties),
                "org.quartz.jobStore.driverDelegateClass",
                "org.quartz.impl.jdbcjobstore." + (postgres ? "PostgreSQLDelegate" : "StdJDBCDelegate")));
        return new StdSchedulerFactory(properties).getScheduler();
    }

    private static void schedule(Scheduler scheduler) throws SchedulerException {
        for (int n = 0; n < JOBS; n++) {
            JobDetail job = JobBuilder.newJob(Mail.class)
                    .withIdentity("mail-" + n)
                    .usingJobData("number", Integer.toString(n))
                    .usingJobData("to", "Adà = \\ ☃")
                    .build();
            Date unused = scheduler.scheduleJob(
                    job,
                    TriggerBuilder.newTrigger()
                            .withIdentity("mail-" + n)
                            .startNow()
                            .build());
        }
    }

    private static List<String> payloads() {
        return IntStream.range(0, JOBS)
                .mapToObj(n -> "{\"number\":\"" + n + "\",\"to\":\"Adà = \\\\ ☃\"}")
                .toList();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#servers")
    void takesOverEachJobOnce(String database) throws Exception {
        for (boolean asProperties : new boolean[] {true, false}) {
            try (Move move = Move.on(database)) {
                Scheduler scheduler = quartz(move, asProperties);
                schedule(scheduler);

                List<ImportLine> dry = move.dryRun("quartz");
                assertThat(Move.count(dry, ImportLine.Result.IMPORTED))
                        .as(Move.notes(dry))
                        .isEqualTo(JOBS);
                assertThat(move.rows("QRTZ_TRIGGERS")).isEqualTo(JOBS);

                List<ImportLine> real = move.take("quartz", KINDS);
                assertThat(Move.count(real, ImportLine.Result.IMPORTED))
                        .as(Move.notes(real))
                        .isEqualTo(JOBS);
                for (String table : List.of("QRTZ_TRIGGERS", "QRTZ_SIMPLE_TRIGGERS", "QRTZ_JOB_DETAILS")) {
                    assertThat(move.rows(table)).as(table).isZero();
                }
                assertThat(move.take("quartz", KINDS)).isEmpty();
                assertThat(move.run("mail.send")).containsExactlyInAnyOrderElementsOf(payloads());
                scheduler.shutdown();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#servers")
    void repeatedCopiesCopyEachJobOnce(String database) throws Exception {
        try (Move move = Move.on(database)) {
            Scheduler scheduler = quartz(move, false);
            schedule(scheduler);
            assertThat(Move.count(move.copy("quartz", KINDS), ImportLine.Result.IMPORTED))
                    .isEqualTo(JOBS);
            assertThat(Move.count(move.copy("quartz", Map.of()), ImportLine.Result.ALREADY))
                    .isEqualTo(JOBS);
            assertThat(move.rows("QRTZ_TRIGGERS")).isEqualTo(JOBS);
            assertThat(move.run("mail.send")).hasSize(JOBS);
            scheduler.shutdown();
        }
    }

    /** The import removes rows of several tables for each job. */
    @Test
    void killedImportsContinue() throws Exception {
        try (Move move = Move.on("mariadb")) {
            Scheduler scheduler = quartz(move, true);
            schedule(scheduler);
            move.killedAt(JOBS, "quartz", KINDS, false);
            int before = 100; // the size of a transaction
            assertThat(move.jobs()).isEqualTo(before);
            for (String table : List.of("QRTZ_TRIGGERS", "QRTZ_SIMPLE_TRIGGERS", "QRTZ_JOB_DETAILS")) {
                assertThat(move.rows(table)).as(table).isEqualTo(JOBS - before);
            }
            assertThat(Move.count(move.take("quartz", KINDS), ImportLine.Result.IMPORTED))
                    .isEqualTo(JOBS - before);
            assertThat(move.rows("QRTZ_TRIGGERS")).isZero();
            assertThat(move.run("mail.send")).containsExactlyInAnyOrderElementsOf(payloads());
            scheduler.shutdown();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#servers")
    void bothSystemsRunSideBySide(String database) throws Exception {
        try (Move move = Move.on(database)) {
            Scheduler scheduler = quartz(move, true);
            schedule(scheduler);
            ConcurrentLinkedQueue<String> ranHere = new ConcurrentLinkedQueue<>();
            scheduler.start();
            try (Worker worker = move.worker("mail.send", ranHere)) {
                while (move.rows("QRTZ_TRIGGERS") > 0) {
                    move.take("quartz", KINDS);
                }
                assertThat(worker.awaitIdle(Duration.ofSeconds(60))).isTrue();
            } finally {
                scheduler.shutdown(true);
            }
            String mine = scheduler.hashCode() + "/";
            List<String> all = Stream.concat(
                            RAN_THERE.stream()
                                    .filter(ran -> ran.startsWith(mine))
                                    .map(ran -> ran.substring(mine.length())),
                            ranHere.stream().map(payload -> payload.replaceAll("\\D", "")))
                    .toList();
            assertThat(all)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, JOBS).mapToObj(String::valueOf).toList());
        }
    }

    private static Date schedule(Scheduler scheduler, String name, TriggerBuilder<? extends Trigger> trigger)
            throws SchedulerException {
        return scheduler.scheduleJob(
                JobBuilder.newJob(Report.class).withIdentity(name).build(),
                trigger.withIdentity(name).build());
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.importer.movein.Move#servers")
    void triggersThatRecurBecomeSchedules(String database) throws Exception {
        try (Move move = Move.on(database)) {
            Scheduler scheduler = quartz(move, false);
            Instant first = Instant.now().plusSeconds(3600).truncatedTo(java.time.temporal.ChronoUnit.MILLIS);
            schedule(
                    scheduler,
                    "nightly",
                    TriggerBuilder.newTrigger()
                            .withSchedule(CronScheduleBuilder.cronSchedule("0 0 3 ? * 2-6")
                                    .inTimeZone(TimeZone.getTimeZone("Europe/Rome"))
                                    .withMisfireHandlingInstructionDoNothing()));
            schedule(
                    scheduler,
                    "often",
                    TriggerBuilder.newTrigger()
                            .startAt(Date.from(first))
                            .withSchedule(SimpleScheduleBuilder.repeatHourlyForever(24)));
            schedule(
                    scheduler,
                    "thrice",
                    TriggerBuilder.newTrigger().withSchedule(SimpleScheduleBuilder.repeatHourlyForTotalCount(3)));
            schedule(
                    scheduler,
                    "ends",
                    TriggerBuilder.newTrigger()
                            .endAt(Date.from(first.plusSeconds(864_000)))
                            .withSchedule(CronScheduleBuilder.cronSchedule("0 0 3 * * ?")));
            schedule(
                    scheduler,
                    "months",
                    TriggerBuilder.newTrigger()
                            .withSchedule(CalendarIntervalScheduleBuilder.calendarIntervalSchedule()
                                    .withIntervalInMonths(1)));
            schedule(
                    scheduler,
                    "year",
                    TriggerBuilder.newTrigger().withSchedule(CronScheduleBuilder.cronSchedule("0 0 3 * * ? 2030")));
            List<ImportLine> lines = move.take("quartz", Map.of(Report.class.getName(), "report"));
            assertThat(Move.count(lines, ImportLine.Result.IMPORTED))
                    .as(Move.notes(lines))
                    .isEqualTo(2);
            assertThat(lines.stream()
                            .filter(line -> line.result() == ImportLine.Result.REFUSED)
                            .map(line -> line.id() + " " + line.note()))
                    .satisfiesExactlyInAnyOrder(
                            line -> assertThat(line).contains("thrice", "3 times"),
                            line -> assertThat(line).contains("ends", "it ends at"),
                            line -> assertThat(line).contains("months", "CAL_INT"),
                            line -> assertThat(line).contains("year", "2030"));
            ScheduleInfo nightly = move.queue().schedules().find("nightly").orElseThrow();
            assertThat(nightly.text()).isEqualTo("0 0 3 * * 1-5 in Europe/Rome");
            assertThat(nightly.missed()).isEqualTo(Missed.SKIP);
            assertThat(nightly.overlap()).isEqualTo(Overlap.QUEUE);
            ScheduleInfo often = move.queue().schedules().find("often").orElseThrow();
            assertThat(often.text()).isEqualTo("every PT24H");
            assertThat(often.nextAt()).isEqualTo(first);
            assertThat(move.rows("QRTZ_TRIGGERS")).isEqualTo(4);
            scheduler.shutdown();
        }
    }

    /** Without the job, Quartz could not repeat the run of a process that was killed. */
    @Test
    void jobsWithARunToRecoverStayInQuartz() throws Exception {
        try (Move move = Move.on("postgresql")) {
            Scheduler scheduler = quartz(move, true);
            for (String name : List.of("killed", "idle")) {
                schedule(
                        scheduler,
                        name,
                        TriggerBuilder.newTrigger().withSchedule(CronScheduleBuilder.cronSchedule("0 0 3 * * ?")));
            }
            move.execute(
                    "INSERT INTO QRTZ_FIRED_TRIGGERS SELECT SCHED_NAME, 'entry', TRIGGER_NAME, TRIGGER_GROUP, 'dead',"
                            + " 0, 0, 5, 'EXECUTING', JOB_NAME, JOB_GROUP, FALSE, TRUE FROM QRTZ_TRIGGERS"
                            + " WHERE TRIGGER_NAME = 'killed'");
            assertThat(Move.count(move.take("quartz", Map.of()), ImportLine.Result.IMPORTED))
                    .isEqualTo(2);
            assertThat(move.rows("QRTZ_TRIGGERS")).isZero();
            assertThat(move.rows("QRTZ_JOB_DETAILS WHERE JOB_NAME = 'killed'")).isOne();
            assertThat(move.rows("QRTZ_JOB_DETAILS")).isOne();
            scheduler.shutdown();
        }
    }

    /** Compares every field and syntax with Quartz itself, tick by tick. */
    @Test
    void cronExpressionsHaveTheSameMeaning() throws Exception {
        List<String> expressions = List.of(
                "0 0 12 * * ?",
                "0 15 10 ? * *",
                "0 15 10 * * ? *",
                "0 * 14 * * ?",
                "0 0/5 14,18 * * ?",
                "0 0-5 14 * * ?",
                "0 10,44 14 ? 3 WED",
                "0 15 10 ? * MON-FRI",
                "0 15 10 15 * ?",
                "0 15 10 L * ?",
                "0 15 10 L-2 * ?",
                "0 15 10 ? * 6L",
                "0 15 10 ? * 6#3",
                "0 0 12 1/5 * ?",
                "0 11 11 11 11 ?",
                "0 0 22-2 * * ?",
                "0 0 3 ? * FRI-MON",
                "0 0 3 ? NOV-FEB SUN",
                "0 0 3 LW * ?",
                "0 0 3 15W * ?",
                "0 0 3 1W * ?",
                "30/15 * * * * ?",
                "0 /20 * * * ?",
                "0 0 3 ? * L",
                "0 0 3 ? * 1,7",
                "0 0 3 ? * 2/2",
                "0 0 3 ? * FRIL",
                "0 0 3 ? * MON#2",
                "0 0 3 ? 1-12/5 5-2",
                "0 0 3 L-3W * ?",
                "0 0 3 */10 * ?",
                "0 58-2 3 * * ?");
        try (Move move = Move.on("postgresql")) {
            Scheduler scheduler = quartz(move, true);
            for (int i = 0; i < expressions.size(); i++) {
                schedule(
                        scheduler,
                        "cron-" + i,
                        TriggerBuilder.newTrigger()
                                .withSchedule(CronScheduleBuilder.cronSchedule(expressions.get(i))
                                        .inTimeZone(TimeZone.getTimeZone("UTC"))));
            }
            List<ImportLine> lines = move.take("quartz", Map.of());
            assertThat(Move.count(lines, ImportLine.Result.IMPORTED))
                    .as(Move.notes(lines))
                    .isEqualTo(expressions.size());
            List<String> differ = new ArrayList<>();
            for (int i = 0; i < expressions.size(); i++) {
                CronExpression theirs = new CronExpression(expressions.get(i));
                theirs.setTimeZone(TimeZone.getTimeZone("UTC"));
                Recurrence ours = Recurrence.parse(
                        move.queue().schedules().find("cron-" + i).orElseThrow().text());
                Instant there = Instant.parse("2026-01-01T00:00:30Z");
                Instant here = there;
                for (int tick = 0; tick < 60 && there.equals(here); tick++) {
                    there = theirs.getNextValidTimeAfter(Date.from(there)).toInstant();
                    here = ours.next(here, here);
                }
                if (!there.equals(here)) {
                    differ.add(expressions.get(i) + " = " + ours + ": " + there + " there, " + here + " here");
                }
            }
            assertThat(differ).isEmpty();
            scheduler.shutdown();
        }
    }

    @Test
    void nonPlainDataIsRefusedByClassName() throws Exception {
        try (Move move = Move.on("postgresql")) {
            Scheduler scheduler = quartz(move, false);
            JobDetail job = JobBuilder.newJob(Mail.class).withIdentity("odd").build();
            job.getJobDataMap().put("number", 17);
            job.getJobDataMap().put("when", ZoneId.of("Europe/Rome"));
            job.getJobDataMap().put("list", new ArrayList<>(List.of(1, "two", true)));
            job.getJobDataMap().put("deep", Map.of("a", 1.5));
            Date unused = scheduler.scheduleJob(
                    job,
                    TriggerBuilder.newTrigger().withIdentity("odd").startNow().build());
            JobDetail refused =
                    JobBuilder.newJob(Mail.class).withIdentity("refused").build();
            refused.getJobDataMap().put("pattern", java.util.regex.Pattern.compile("a+"));
            Date unusedToo = scheduler.scheduleJob(
                    refused,
                    TriggerBuilder.newTrigger()
                            .withIdentity("refused")
                            .startNow()
                            .build());
            List<ImportLine> lines = move.take("quartz", KINDS);
            assertThat(lines)
                    .filteredOn(line -> line.result() == ImportLine.Result.REFUSED)
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.id()).endsWith("DEFAULT.refused");
                        assertThat(line.note()).contains("java.util.regex.Pattern");
                    });
            Job taken = move.queue().admin().jobs().list(JobFilter.ALL).get(0);
            assertThat(taken.payload())
                    .isEqualTo(
                            "{\"deep\":{\"a\":1.5},\"list\":[1,\"two\",true],\"number\":17,\"when\":\"Europe/Rome\"}");
            scheduler.shutdown();
        }
    }
}
