package dev.pawl.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.run.Cell.Disturbance;
import dev.pawl.lab.run.Cell.Measure;
import dev.pawl.lab.run.Matrix;
import java.util.List;
import org.junit.jupiter.api.Test;

class PresetsTest {
    @Test
    void theStudyIsTenWorkersAndTenThousandJobsThatDoNothing() {
        List<Matrix> study = Presets.study(List.of("mariadb"));
        assertThat(study).hasSize(2).allSatisfy(matrix -> {
            assertThat(matrix.databases()).containsExactly("mariadb");
            assertThat(matrix.workers()).containsExactly(10);
            assertThat(matrix.jobs()).containsExactly(10_000);
            assertThat(matrix.handlerMillis()).containsExactly(0);
            assertThat(matrix.disturbances()).containsExactly(Disturbance.NONE);
            assertThat(matrix.systems())
                    .contains("DBP-0-0-5", "DBP-0-1-1", "DBP-1-0-1", "DBP-0-0-5-noindex", "DBO-0", "DBO-1");
        });
        assertThat(study).extracting(Matrix::verify).containsExactly(false, true);
        assertThat(Presets.STUDY_ROUNDS).isEqualTo(10);
        assertThat(study.get(0).systems()).hasSize(9);
        assertThat(study.get(1).systems()).hasSize(6);
    }

    @Test
    void lanesRowsAndPeersAreMeasuredInOneRun() {
        Matrix held = Presets.underSnapshot(List.of("mariadb")).get(0);
        assertThat(held.systems()).contains("auto", "rows", "db-scheduler", "jobrunr");
        assertThat(held.measures()).containsExactly(Measure.LOAD);
        assertThat(held.disturbances()).containsExactly(Disturbance.NONE, Disturbance.HELD_SNAPSHOT);
        Matrix behind = Presets.behindBacklog(List.of("mariadb")).get(0);
        assertThat(behind.measures()).containsExactly(Measure.DRAIN);
        assertThat(behind.disturbances()).containsExactly(Disturbance.NONE, Disturbance.BACKLOG);
        assertThat(Presets.smallBatches(List.of("mariadb")))
                .allSatisfy(matrix -> assertThat(matrix.systems()).containsExactly("auto", "rows"))
                .extracting(Matrix::batches)
                .containsExactly(List.of(1), List.of(10));
    }

    @Test
    void thePerformancePageIsOneRun() {
        List<Matrix> whole = PerformancePreset.of(List.of("postgresql", "sqlite"), 1);
        assertThat(whole.stream().flatMap(matrix -> matrix.systems().stream()))
                .contains("auto", "rows", "raw-lane", "db-scheduler", "pgque", "auto+workers=100", "raw-marker")
                .contains("auto+transaction", "auto+small-batches", "auto+queues", "auto+due", "db-scheduler+due");
        assertThat(whole)
                .filteredOn(matrix -> matrix.workers().equals(List.of(200)))
                .allSatisfy(matrix -> assertThat(matrix.databases())
                        .as("many workers need a server")
                        .isSubsetOf("postgresql", "1ms@postgresql"));
        assertThat(whole).flatExtracting(Matrix::measures).contains(Measure.DRAIN, Measure.LATENCY);
        assertThat(PerformancePreset.of(List.of("sqlite"), 0.001))
                .flatExtracting(Matrix::jobs)
                .allSatisfy(jobs -> assertThat(jobs).isBetween(1, 600));
    }

    @Test
    void theNodesOfAClusterAreAddedOneAfterTheOther() {
        List<Matrix> nodes = NodesPreset.of(List.of("jdbc:mysql://a/x", "jdbc:mysql://b/x", "jdbc:mysql://c/x"), 0.5);
        assertThat(nodes)
                .allSatisfy(matrix -> {
                    assertThat(matrix.databases())
                            .containsExactly(
                                    "jdbc:mysql://a/x",
                                    "jdbc:mysql://a/x jdbc:mysql://b/x",
                                    "jdbc:mysql://a/x jdbc:mysql://b/x jdbc:mysql://c/x");
                    assertThat(matrix.measures()).containsExactly(Measure.DRAIN, Measure.LATENCY);
                    assertThat(matrix.jobs()).containsExactly(50_000);
                })
                .extracting(Matrix::systems)
                .containsExactly(List.of("auto+workers=3"), List.of("auto+workers=12"));
        assertThat(nodes).extracting(Matrix::workers).containsExactly(List.of(30), List.of(120));
    }

    @Test
    void itsSettingsAreVariedAndDetectionIsOff() {
        List<Matrix> settings = Presets.studySettings(List.of("mariadb"));
        assertThat(settings.get(0).systems())
                .contains("DBP-0-0-5-planner", "DBP-0-0-5-fresh", "DBP-0-0-5-alone", "DBP-0-0-5-index54", "DBP-0-1-0");
        assertThat(settings.get(0).disturbances()).containsExactly(Disturbance.NONE);
        assertThat(settings.get(1).disturbances()).containsExactly(Disturbance.NONE, Disturbance.NO_DETECTION);
        assertThat(settings.get(1).systems()).contains("DBP-0-0-5", "DBP-0-0-5-noindex", "DBO-1");
    }
}
