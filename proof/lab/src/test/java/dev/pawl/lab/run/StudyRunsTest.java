package dev.pawl.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.Target;
import dev.pawl.lab.report.Reports;
import dev.pawl.lab.run.Cell.Disturbance;
import dev.pawl.lab.run.Cell.Measure;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Designs of the study in the lab. */
@ResourceLock(LabRuns.MARIADB)
class StudyRunsTest extends LabRuns {
    private static Matrix study(String database, String design, int jobs) {
        return new Matrix(
                List.of(database),
                List.of(design),
                List.of(10),
                List.of(0),
                List.of(jobs),
                List.of(0),
                List.of(60),
                List.of(0),
                List.of(Measure.DRAIN),
                List.of(Disturbance.NONE),
                true,
                List.of(100),
                1);
    }

    @Test
    void everyExecutionIsInTheProtocolEvenIfTheFileIsBusy() throws Exception {
        LabFile run = lab("busy.json", 1, study("sqlite", "DBO-1", 1000)).run(NOBODY);
        assertThat(run.trials()).singleElement().satisfies(trial -> {
            assertThat(trial.failure()).isNull();
            Map<Integer, Long> times =
                    java.util.Objects.requireNonNull(trial.drained()).executions();
            // The study's queue repeats a job if the SQLite file was busy at too many attempts of its delete.
            assertThat(times.values().stream().mapToLong(Long::longValue).sum())
                    .as("jobs that were executed: %s", times)
                    .isEqualTo(1000);
            assertThat(times.get(1)).isGreaterThan(950);
        });
    }

    @Test
    void deadlocksAreListedWithHoldersAndWaiters() throws Exception {
        LabFile run = lab("study.json", 1, study("mariadb", "DBP-0-0-5", 2000)).run(NOBODY);
        Trial.Drained drained =
                java.util.Objects.requireNonNull(run.trials().get(0).drained());
        assertThat(drained.faults().deadlocks()).isPositive();
        assertThat(drained.faults().serverDeadlocks()).isNotNull().isPositive();
        assertThat(run.deadlocks()).singleElement().satisfies(listing -> {
            assertThat(listing.transactions()).hasSize(2);
            assertThat(listing.transactions())
                    .filteredOn(DeadlockListing.Transaction::victim)
                    .hasSize(1);
            assertThat(listing.transactions())
                    .extracting(DeadlockListing.Transaction::query)
                    .anySatisfy(query -> assertThat(query).startsWith("DELETE FROM jobs"))
                    .anySatisfy(query -> assertThat(query).startsWith("SELECT * FROM jobs"));
            List<String> locks = new ArrayList<>();
            listing.locks().forEach(lock -> locks.add((lock.waiting() ? "waits " : "holds ") + lock.index()));
            assertThat(locks)
                    .contains("waits PRIMARY", "holds PRIMARY", "waits jobs_queue_index", "holds jobs_queue_index");
            assertThat(listing.locks())
                    .filteredOn(lock -> lock.index().equals("PRIMARY"))
                    .extracting(DeadlockListing.Lock::id)
                    .as("the one who waits is not the one who holds")
                    .doesNotHaveDuplicates();
        });
    }

    @Test
    @SuppressWarnings("try") // deadlock detection is off while this is open
    void deadlockDetectionIsRestored() throws Exception {
        Cell cell = Cell.recovery("mariadb", "auto", 1);
        try (Scratch scratch = Target.of("mariadb").scratch()) {
            int waits = waitSeconds(scratch);
            try (Detection off = Detection.of(cell.with(Disturbance.NO_DETECTION), scratch)) {
                assertThat(detects(scratch)).isFalse();
                assertThat(waitSeconds(scratch)).isEqualTo(Detection.WAIT_SECONDS);
            }
            assertThat(detects(scratch)).isTrue();
            assertThat(waitSeconds(scratch)).isEqualTo(waits).isNotEqualTo(Detection.WAIT_SECONDS);
            try (Detection on = Detection.of(cell, scratch)) {
                assertThat(detects(scratch)).isTrue();
            }
        }
    }

    private static int waitSeconds(Scratch scratch) throws SQLException {
        try (Connection connection = DriverManager.getConnection(scratch.url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@GLOBAL.innodb_lock_wait_timeout")) {
            assertThat(row.next()).isTrue();
            return row.getInt(1);
        }
    }

    private static boolean detects(Scratch scratch) throws SQLException {
        try (Connection connection = DriverManager.getConnection(scratch.url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@GLOBAL.innodb_deadlock_detect")) {
            return row.next() && row.getBoolean(1);
        }
    }

    @Test
    void optimisticQueuesDoNotNeedDeadlockDetection() throws Exception {
        LabFile run = lab(
                        "blind.json",
                        1,
                        study("mariadb", "DBO-1", 300).with(List.of(Disturbance.NO_DETECTION)),
                        study("sqlite", "DBO-1", 300).with(List.of(Disturbance.NO_DETECTION)))
                .run(NOBODY);
        assertThat(run.skipped())
                .containsExactly("sqlite: deadlock detection can only be disabled on MySQL and MariaDB");
        assertThat(run.trials()).singleElement().satisfies(trial -> {
            assertThat(trial.failure()).isNull();
            Trial.Drained drained = java.util.Objects.requireNonNull(trial.drained());
            assertThat(drained.faults().lockTimeouts()).isZero();
            assertThat(drained.longestPauseMillis()).isPositive();
            assertThat(drained.ownJobsPerSecond()).isPositive();
        });
        assertThat(Reports.text(List.of(run))).contains("no deadlock detection");
    }
}
