package dev.pawl.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.Target;
import dev.pawl.lab.report.Reports;
import dev.pawl.lab.run.Cell.Disturbance;
import dev.pawl.lab.run.Cell.Measure;
import dev.pawl.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(value = LabRuns.MARIADB, mode = ResourceAccessMode.READ)
class LabTest extends LabRuns {
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
    void roundsAreInterleavedAndStoppedRunsContinue() throws Exception {
        Path file = folder.resolve("stopped.json");
        Matrix both = matrix(List.of("sqlite"), List.of("auto", "raw"), 0, Measure.DRAIN, List.of(Disturbance.NONE));
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

    /** One server plays both nodes. */
    @Test
    void claimsAndPausesOfNodesAreCounted() throws Exception {
        try (Scratch server = Target.of("mariadb").scratch()) {
            String nodes = server.url() + " " + server.url();
            Matrix drains = matrix(List.of(nodes), List.of("auto"), 0, Measure.DRAIN, List.of(Disturbance.NONE));
            Matrix arrivals = matrix(List.of(nodes), List.of("auto"), 0, Measure.LATENCY, List.of(Disturbance.NONE));
            LabFile run = lab("nodes.json", 1, drains, arrivals).run(NOBODY);
            assertThat(run.trials()).hasSize(2).allSatisfy(trial -> {
                assertThat(trial.failure()).isNull();
                Trial.OnNodes counted = java.util.Objects.requireNonNull(trial.onNodes());
                assertThat(counted.nodes()).isEqualTo(2);
                assertThat(counted.claims()).isPositive();
                assertThat(counted.longestPauseMillis()).isPositive();
            });
            assertThat(java.util.Objects.requireNonNull(run.trials().get(0).drained())
                            .executions())
                    .isEqualTo(Map.of(1, 200L));
            assertThat(Reports.text(List.of(run))).contains("On the nodes of a cluster");
        }
    }

    @Test
    void stoppedRunsContinueOnlyInTheSameEnvironment() throws Exception {
        Path file = folder.resolve("elsewhere.json");
        Lab first = lab(
                "elsewhere.json",
                2,
                matrix(List.of("sqlite"), List.of("raw"), 0, Measure.DRAIN, List.of(Disturbance.NONE)));
        assertThatThrownBy(() -> first.run(stoppingAfter(1))).isInstanceOf(CancellationException.class);
        String ours = Files.readString(file);
        Files.writeString(file, ours.replaceFirst("\"cores\" : \\d+", "\"cores\" : 4096"));
        assertThatThrownBy(() -> Lab.resume(file, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another machine")
                .hasMessageContaining("give both files");
        Files.writeString(file, ours.replaceFirst("\"page_size\" : \"\\d+", "\"page_size\" : \"512"));
        assertThatThrownBy(() -> Lab.resume(file, List.of()))
                .hasMessageContaining("another version or settings of sqlite");
    }

    /** A run that was stopped during its warm-up can be continued in another environment, which the file then records. */
    @Test
    void runsWithoutTrialsAreRestarted() throws Exception {
        Path file = folder.resolve("early.json");
        Lab first = lab(
                "early.json",
                1,
                matrix(List.of("sqlite"), List.of("raw"), 0, Measure.DRAIN, List.of(Disturbance.NONE)));
        assertThatThrownBy(() -> first.run(new Lab.Watcher() {
                    @Override
                    public void doing(int done, int all, String what) {
                        throw new CancellationException("stopped by the test");
                    }

                    @Override
                    public void done(int done, int all, Trial trial) {}
                }))
                .isInstanceOf(CancellationException.class);
        String ours = Files.readString(file);
        Files.writeString(
                file,
                ours.replaceFirst("\"cores\" : \\d+", "\"cores\" : 4096")
                        .replaceFirst("\"page_size\" : \"\\d+", "\"page_size\" : \"512"));
        LabFile whole = Lab.resume(file, List.of()).run(NOBODY);
        assertThat(whole.trials()).hasSize(1);
        assertThat(whole.environment().cores()).isLessThan(4096);
        assertThat(whole.targets().get("sqlite"))
                .satisfies(
                        facts -> assertThat(facts.variables().get("page_size")).isNotEqualTo("512"));
    }

    @Test
    void failedTrialsAreRepeated() throws Exception {
        Path file = folder.resolve("failed.json");
        LabFile run = lab(
                        "failed.json",
                        2,
                        matrix(List.of("sqlite"), List.of("raw"), 0, Measure.DRAIN, List.of(Disturbance.NONE)))
                .run(NOBODY);
        Trial kept = run.trials().get(1);
        new LabFile(
                        run.format(),
                        run.command(),
                        run.environment(),
                        run.targets(),
                        run.settings(),
                        run.plan(),
                        run.skipped(),
                        List.of(Trial.failed(kept.cell(), 1, "the server was away"), kept),
                        run.deadlocks())
                .write(file);
        List<String> told = new ArrayList<>();
        LabFile again = Lab.resume(file, List.of()).run(new Lab.Watcher() {
            @Override
            public void doing(int done, int all, String what) {
                told.add(what);
            }

            @Override
            public void done(int done, int all, Trial trial) {}
        });
        assertThat(told).as("it is warm").anyMatch(what -> what.startsWith("warm-up"));
        assertThat(again.trials())
                .hasSize(2)
                .contains(kept)
                .allSatisfy(trial -> assertThat(trial.failure()).isNull());
    }

    @Test
    void runsWithOnlyFailuresEnd() throws Exception {
        Lab lab = lab(
                "away.json",
                20,
                matrix(List.of("sqlite"), List.of("redis://127.0.0.1:1"), 0, Measure.DRAIN, List.of(Disturbance.NONE)));
        assertThatThrownBy(() -> lab.run(NOBODY))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in a row have failed")
                .hasMessageContaining("--resume");
        assertThat(lab.state().trials()).hasSize(12);
    }

    @Test
    void relevantDifferencesDistinguishEnvironments() {
        Environment here = Environment.here();
        assertThat(here.differences(Environment.here())).isEmpty();
        assertThat(List.of(
                        other(here, "commit"),
                        other(here, "java"),
                        other(here, "options"),
                        other(here, "cpu"),
                        other(here, "system"),
                        other(here, "disk"),
                        other(here, "heap"),
                        other(here, "memory")))
                .allSatisfy(other -> assertThat(here.differences(other)).hasSize(1));
    }

    private static Environment other(Environment here, String what) {
        return new Environment(
                "another time",
                what.equals("commit") ? "other" : here.commit(),
                what.equals("java") ? "other" : here.java(),
                what.equals("options") ? "-Xother" : here.javaOptions(),
                what.equals("system") ? "other" : here.system(),
                what.equals("cpu") ? "other" : here.cpu(),
                here.cores(),
                here.memoryMiB() + (what.equals("memory") ? 1 : 0),
                here.heapMiB() + (what.equals("heap") ? 1 : 0),
                what.equals("disk") ? "other" : here.disk(),
                here.fsyncMicros() + 1);
    }

    @Test
    void filesMayBeCompressed() throws Exception {
        Path packed = folder.resolve("packed.json.gz");
        LabFile run = lab(
                        "plain.json",
                        1,
                        matrix(List.of("sqlite"), List.of("raw"), 0, Measure.DRAIN, List.of(Disturbance.NONE)))
                .run(NOBODY);
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Files.copy(folder.resolve("plain.json"), out);
        }
        assertThat(Reports.text(List.of(LabFile.read(packed)))).isEqualTo(Reports.text(List.of(run)));
        Files.writeString(packed, "{}");
        assertThatThrownBy(() -> LabFile.read(packed))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is named as a file of gzip, but is none");
    }

    /** In the quick tier only on PostgreSQL. */
    @Test
    void everyKindOfTrialOnEveryDatabase() throws Exception {
        List<String> all = Tier.ofThisBuild().isAll("PAWL_LAB") ? Target.EMBEDDED : List.of("postgresql");
        LabFile run = lab(
                        "kinds.json",
                        1,
                        matrix(
                                all,
                                List.of("auto"),
                                0,
                                Measure.DRAIN,
                                List.of(
                                        Disturbance.NONE,
                                        Disturbance.HELD_SNAPSHOT,
                                        Disturbance.DELAYED,
                                        Disturbance.BACKLOG)),
                        matrix(all, List.of("auto"), 0, Measure.LOAD, List.of(Disturbance.HELD_SNAPSHOT)),
                        verified(matrix(all, List.of("auto"), 2, Measure.DRAIN, List.of(Disturbance.NONE))),
                        matrix(all, List.of("auto"), 0, Measure.LATENCY, List.of(Disturbance.NONE)),
                        matrix(all, List.of("auto"), 0, Measure.RECOVERY, List.of(Disturbance.NONE)))
                .run(NOBODY);
        assertThat(run.trials())
                .hasSize(8 * all.size())
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
        assertThat(run.trials())
                .filteredOn(trial -> trial.cell().hindrance() == Disturbance.BACKLOG)
                .hasSameSizeAs(all)
                .allSatisfy(trial -> assertThat(java.util.Objects.requireNonNull(trial.drained())
                                .backlogPerSecond())
                        .isPositive());
        assertThat(run.trials())
                .filteredOn(trial -> trial.cell().measure() == Measure.LOAD)
                .hasSameSizeAs(all)
                .allSatisfy(trial -> {
                    Trial.Loaded loaded = java.util.Objects.requireNonNull(trial.loaded());
                    assertThat(loaded.perSecond())
                            .as("more than were there at the beginning: %s", trial.cell())
                            .singleElement()
                            .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LONG)
                            .isGreaterThan(200);
                    assertThat(loaded.memory().heapBytes()).isPositive();
                });
        assertThat(run.targets().get("postgresql"))
                .satisfies(facts -> assertThat(facts.variables()).containsEntry("fsync", "on"));
        String text = Reports.text(List.of(run));
        assertThat(text)
                .contains(
                        "Jobs per second on postgresql",
                        "After kill -9",
                        "an open transaction",
                        "Latency in ms",
                        "Under load",
                        "Behind a backlog");
    }

    private static Matrix verified(Matrix one) {
        return new Matrix(
                one.databases(),
                one.systems(),
                one.workers(),
                one.processes(),
                one.jobs(),
                one.batches(),
                one.payloadBytes(),
                one.handlerMillis(),
                one.measures(),
                one.disturbances(),
                true,
                one.rates(),
                one.latencySeconds());
    }

    @Test
    void workersMayBeInOtherProcessesAndServersFarAway() throws Exception {
        LabFile run = lab(
                        "far.json",
                        1,
                        matrix(
                                List.of("1ms@postgresql"),
                                List.of("auto"),
                                1,
                                Measure.LATENCY,
                                List.of(Disturbance.NONE)),
                        matrix(List.of("sqlite"), List.of("auto"), 2, Measure.DRAIN, List.of(Disturbance.NONE)))
                .run(NOBODY);
        assertThat(run.trials())
                .hasSize(2)
                .allSatisfy(trial ->
                        assertThat(trial.failure()).as(trial.cell().text()).isNull());
        assertThat(run.targets()).containsKey("postgresql (1 ms each way)");
        assertThat(run.trials().get(0).arrivals())
                .satisfies(arrivals -> assertThat(java.util.Objects.requireNonNull(arrivals)
                                .start()
                                .p50())
                        .as("an enqueue and a claim cross the line at least twice")
                        .isGreaterThan(2));
        assertThat(run.trials().get(1).drained())
                .satisfies(drained -> assertThat(
                                java.util.Objects.requireNonNull(drained).jobsPerSecond())
                        .isPositive());
    }

    @Test
    void impossibleCellsAreSkippedAndFailedTrialsStopNoOthers() throws Exception {
        LabFile run = lab(
                        "left.json",
                        1,
                        matrix(
                                List.of("sqlite"),
                                List.of("quartz", "redis://127.0.0.1:1", "auto"),
                                0,
                                Measure.DRAIN,
                                List.of(Disturbance.NONE)))
                .run(NOBODY);
        assertThat(run.skipped()).containsExactly("sqlite: quartz is not made for SQLite");
        assertThat(run.trials()).hasSize(2);
        assertThat(run.trials().get(0).failure()).isNotBlank();
        assertThat(run.trials().get(1).failure()).isNull();
    }

    /** In the quick tier only on SQLite, whose checkpoint affects no other test. */
    @Test
    void serversMaySettleBeforeADrain() throws Exception {
        List<String> all = Tier.ofThisBuild().isAll("PAWL_LAB") ? Target.EMBEDDED : List.of("sqlite");
        LabFile run = lab(
                        "settled.json", 1, 30, matrix(all, List.of("raw"), 0, Measure.DRAIN, List.of(Disturbance.NONE)))
                .run(NOBODY);
        assertThat(run.trials())
                .hasSameSizeAs(all)
                .allSatisfy(trial -> assertThat(java.util.Objects.requireNonNull(trial.drained(), trial.cell()::text)
                                .settledSeconds())
                        .isPositive());
    }

    @Test
    void otherFilesAreRefused() throws Exception {
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
        Files.writeString(file, "{\"format\": \"pawl-lab-1\"}");
        assertThatThrownBy(() -> LabFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("lacks parts");
        Path empty = Files.writeString(folder.resolve("empty.json.gz"), "");
        assertThatThrownBy(() -> LabFile.read(empty))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("empty.json.gz");
    }
}
