package dev.pawl.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.lab.report.Reports;
import dev.pawl.lab.run.Cell.Hindrance;
import dev.pawl.lab.run.Cell.Measure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabTest {
    @TempDir
    private Path folder = Path.of(".");

    private static Matrix matrix(
            List<String> databases, List<String> systems, int processes, Measure measure, List<Hindrance> hindrances) {
        return new Matrix(
                databases,
                systems,
                List.of(4),
                List.of(processes),
                List.of(200),
                List.of(0),
                List.of(60),
                List.of(0),
                List.of(measure),
                hindrances,
                false,
                List.of(100),
                1);
    }

    private Lab lab(String file, int rounds, Matrix... matrices) throws Exception {
        return Lab.of(folder.resolve(file), "test", List.of(matrices), rounds, 20, 500, 1000);
    }

    private static final Lab.Watcher NOBODY = new Lab.Watcher() {
        @Override
        public void doing(int done, int all, String what) {}

        @Override
        public void done(int done, int all, Trial trial) {}
    };

    private static Lab.Watcher stoppingAfter(int trials) {
        return new Lab.Watcher() {
            @Override
            public void doing(int done, int all, String what) {}

            @Override
            public void done(int done, int all, Trial trial) {
                if (done == trials) {
                    throw new CancellationException("stopped by the test");
                }
            }
        };
    }

    @Test
    void roundsAreInterleavedAndARunThatWasStoppedGoesOnWhereItWas() throws Exception {
        Path file = folder.resolve("stopped.json");
        Matrix both = matrix(List.of("sqlite"), List.of("auto", "raw"), 0, Measure.DRAIN, List.of(Hindrance.NONE));
        Lab first = lab("stopped.json", 3, both);
        assertThat(first.trials()).isEqualTo(6);
        assertThatThrownBy(() -> first.run(stoppingAfter(3))).isInstanceOf(CancellationException.class);
        LabFile kept = LabFile.read(file);
        assertThat(kept.trials()).hasSize(3);

        LabFile whole = Lab.resume(file, List.of()).run(NOBODY);
        assertThat(whole.trials())
                .extracting(trial -> trial.round() + " " + trial.cell().system())
                .containsExactly("1 auto", "1 raw", "2 auto", "2 raw", "3 auto", "3 raw");
        assertThat(whole.trials().subList(0, 3))
                .extracting(Trial::at)
                .isEqualTo(kept.trials().stream().map(Trial::at).toList());
        assertThat(whole.trials()).allSatisfy(trial -> {
            assertThat(trial.failure()).isNull();
            Trial.Drained drained = java.util.Objects.requireNonNull(trial.drained());
            assertThat(drained.executions()).isEqualTo(Map.of(1, 200L));
            assertThat(drained.jobsPerSecond()).isPositive();
        });
    }

    @Test
    void everyKindOfTrialOnEveryDatabase() throws Exception {
        List<String> all = List.of("postgresql", "mariadb", "sqlite");
        LabFile run = lab(
                        "kinds.json",
                        1,
                        matrix(
                                all,
                                List.of("auto"),
                                0,
                                Measure.DRAIN,
                                List.of(Hindrance.NONE, Hindrance.HELD_SNAPSHOT, Hindrance.DELAYED)),
                        matrix(all, List.of("auto"), 2, Measure.DRAIN, List.of(Hindrance.NONE)),
                        matrix(all, List.of("auto"), 0, Measure.LATENCY, List.of(Hindrance.NONE)),
                        matrix(all, List.of("auto"), 0, Measure.RECOVERY, List.of(Hindrance.NONE)))
                .run(NOBODY);
        assertThat(run.trials())
                .hasSize(18)
                .allSatisfy(trial ->
                        assertThat(trial.failure()).as(trial.cell().text()).isNull());
        assertThat(run.trials())
                .filteredOn(trial -> trial.drained() != null)
                .allSatisfy(trial -> assertThat(java.util.Objects.requireNonNull(trial.drained())
                                .executions())
                        .as(trial.cell().text())
                        .isEqualTo(Map.of(1, 200L)));
        assertThat(run.trials())
                .filteredOn(trial -> trial.cell().measure() == Measure.RECOVERY)
                .allSatisfy(trial -> assertThat(trial.recoveryMillis()).isBetween(500.0, 20_000.0));
        assertThat(run.targets().get("postgresql"))
                .satisfies(facts -> assertThat(facts.variables()).containsEntry("fsync", "on"));
        String text = Reports.text(List.of(run));
        assertThat(text)
                .contains("Jobs per second on mariadb", "After kill -9", "an open transaction", "Latency in ms");
    }

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
                List.of(Hindrance.NONE),
                true,
                List.of(100),
                1);
    }

    @Test
    void everyExecutionIsInTheProtocolAlsoWhileTheFileIsBusy() throws Exception {
        LabFile run = lab("busy.json", 1, study("sqlite", "DBO-1", 1000)).run(NOBODY);
        assertThat(run.trials()).singleElement().satisfies(trial -> {
            assertThat(trial.failure()).isNull();
            Map<Integer, Long> times =
                    java.util.Objects.requireNonNull(trial.drained()).executions();
            // The study's queue runs a job again when its delete has met a busy file too often.
            assertThat(times.values().stream().mapToLong(Long::longValue).sum())
                    .as("jobs that were executed: %s", times)
                    .isEqualTo(1000);
            assertThat(times.get(1)).isGreaterThan(950);
        });
    }

    @Test
    void deadlocksOfTheStudyAreListedWithWhoHoldsAndWhoWaits() throws Exception {
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
                    .anySatisfy(query -> assertThat(query).startsWith("SELECT id"));
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
    void whatCannotBeHadIsLeftOutWithItsReasonAndATrialThatFailsStopsNoOther() throws Exception {
        LabFile run = lab(
                        "left.json",
                        1,
                        matrix(
                                List.of("sqlite"),
                                List.of("quartz", "redis://127.0.0.1:1", "auto"),
                                0,
                                Measure.DRAIN,
                                List.of(Hindrance.NONE)))
                .run(NOBODY);
        assertThat(run.skipped()).containsExactly("sqlite: quartz is not made for SQLite");
        assertThat(run.trials()).hasSize(2);
        assertThat(run.trials().get(0).failure()).isNotBlank();
        assertThat(run.trials().get(1).failure()).isNull();
    }

    @Test
    void aFileThatIsNoResultIsRefused() throws Exception {
        Path file = folder.resolve("other.json");
        Files.writeString(file, "{\"format\": \"something\"}");
        assertThatThrownBy(() -> LabFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("pawl-lab-1");
        Files.writeString(file, "no JSON");
        assertThatThrownBy(() -> LabFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a file of");
        assertThatThrownBy(() -> LabFile.read(folder.resolve("none.json"))).hasMessageContaining("is not there");
    }
}
