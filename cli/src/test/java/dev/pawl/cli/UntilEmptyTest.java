package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code pawl work --until-empty}, when something keeps jobs from running. */
@Timeout(120)
class UntilEmptyTest {
    private static final String[] WORK = {"work", "--until-empty", "--within", "9s", "--handler", "save=exec:true"};

    @TempDir
    private Path folder;

    private Program program = new Program("");

    @BeforeEach
    void enqueue() {
        program = Program.onFile(folder);
        program.run("enqueue", "save");
    }

    @Test
    void holdsAreReportedOnceUntilTheTimeLimit() {
        program.run("pause", "kind", "save", "--for", "1h", "--reason", "no disk");
        Program.Result work = program.run(WORK);
        assertThat(work.exit()).isEqualTo(3);
        assertThat(work.err()).containsOnlyOnce("waiting: kind save is paused: ");
        assertThat(work.err()).contains("no disk, until ", ": pawl resume kind save", "not empty after 9 s");
    }

    @Test
    void exhaustedRateLimitsAreReported() {
        program.run("set", "limit", "kind", "save", "--rate", "1/1h");
        program.run("enqueue", "save");
        Program.Result work = program.run(WORK);
        assertThat(work.exit()).isEqualTo(3);
        assertThat(work.out()).contains("completed 1");
        assertThat(work.err()).containsOnlyOnce("waiting: the rate of kind save is used up");
    }

    @Test
    void pausedAndScheduledJobsAreReported() {
        program.run("enqueue", "save", "--delay", "1h");
        program.run("pause", "queue", "default");
        String[] patient = {"work", "--until-empty", "--handler", "save=exec:true"};
        Program.Result work = program.run(patient);
        assertThat(work.exit()).isZero();
        assertThat(work.err())
                .contains(
                        "jobs that are left: 1 in queue default, which is paused (pawl resume queue default), 1 for later");
        program.run("resume", "queue", "default");
        assertThat(program.run(patient).err()).contains("jobs that are left: 1 for later");
    }

    /** A mistyped kind must not look like success. */
    @Test
    void dueJobsOfOtherKindsAreReported() {
        Program.Result work = program.run("work", "--until-empty", "--handler", "sav=exec:true");
        assertThat(work.exit()).isZero();
        assertThat(work.out()).contains("completed 0");
        assertThat(work.err())
                .contains("jobs that are left: 1 in queue default of kinds that no live worker runs: save"
                        + " (pawl work --queues default --handler save=…)");
        program.run("enqueue", "other", "--delay", "1h");
        program.run("enqueue", "save", "--key", "k");
        program.run("enqueue", "save", "--key", "k"); // a blocked job counts as one for later
        assertThat(program.run("work", "--until-empty", "--handler", "sav=exec:true")
                        .err())
                .contains("in queue default of kinds that no live worker runs: ", "save", " for later");
        assertThat(program.run("work", "--until-empty", "--handler", "save=exec:true", "--handler", "other=exec:true")
                        .err())
                .contains("jobs that are left: 1 for later")
                .doesNotContain("no live worker");
    }

    @Test
    void manyJobsOfOtherKindsAreCountedWithAFewNames() {
        EnqueueOptions mail = EnqueueOptions.DEFAULTS.queue("mail");
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(program.url());
            JobQueue queue = JobQueue.open(pool);
            queue.enqueueAll(IntStream.range(0, 1_400)
                    .mapToObj(i -> new JobRequest("kind" + i % 7, "{}", mail))
                    .toList());
            queue.close();
        }
        String[] work = {"work", "--until-empty", "--queues", "default,mail", "--handler", "save=exec:true"};
        assertThat(program.run(work).err())
                .contains("1400 in queue mail of kinds that no live worker runs: kind0, kind1, kind2, kind3,"
                        + " kind4 and 2 more (pawl work --queues mail --handler kind0=…)");
    }

    /** A dependency's outage: no attempt is counted, and the whole kind is paused. */
    @Test
    void commandsMayReportAnOutage() {
        Program.Result work = program.run(
                "work", "--until-empty", "--within", "9s", "--handler", "save=exec:echo the disk is away >&2; exit 69");
        assertThat(work.err()).contains("waiting: kind save is paused: ");
        assertThat(program.run("job", "1").out())
                .contains("available", "exit 69: the disk is away", "attempt          0");
        assertThat(program.run("limits").out()).contains("kind save", "exit 69: the disk is away");
    }

    @Test
    void timeLimitsRequireUntilEmpty() {
        assertThat(program.run("work", "--within", "4s", "--handler", "save=exec:true")
                        .err())
                .contains("--within requires --until-empty");
        assertThat(program.run("work", "--until-empty", "--within", "0s", "--handler", "save=exec:true")
                        .err())
                .contains("use more than 0");
    }
}
