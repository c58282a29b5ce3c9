package dev.pawl.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.Cell.Disturbance;
import dev.pawl.lab.run.Cell.Measure;
import dev.pawl.lab.run.Environment;
import dev.pawl.lab.run.LabFile;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ReportsTest {
    private static Cell cell(String system, int workers, int batch) {
        return new Cell(
                Measure.DRAIN, "postgresql", system, workers, 0, 100_000, batch, 60, 0, Disturbance.NONE, false, 0);
    }

    private static Trial trial(Cell cell, int round, double rate) {
        return new Trial(
                cell,
                round,
                "2026-11-21T00:00:00Z",
                null,
                new Trial.Drained(
                        5,
                        100_000,
                        rate,
                        rate / 2,
                        40.0,
                        new Trial.OrderFigures(1, 9, 1, 0, 2, 3, 9, Map.of(0L, 90L, 201L, 10L), null),
                        Map.of(1, 99_990L, 2, 10L),
                        new Trial.Faults(100L, 25L, null, null, 3L, null),
                        new Trial.Cost(10.0, 20.0, 500.0, 0L),
                        null,
                        null,
                        null),
                null,
                null,
                new Trial.Box(60, 0.01),
                null,
                null);
    }

    private static LabFile run(Map<Cell, List<Double>> rates) {
        return run("abc", "a cpu </script>", rates);
    }

    private static LabFile run(String commit, String cpu, Map<Cell, List<Double>> rates) {
        List<Trial> trials = new ArrayList<>();
        rates.forEach((cell, own) -> own.forEach(rate -> trials.add(trial(cell, own.indexOf(rate) + 1, rate))));
        return new LabFile(
                LabFile.FORMAT,
                "pawl lab run",
                new Environment("2026-11-20T10:00:00Z", commit, "17", "", "Linux", cpu, 2, 1000, 500, "ext4", 60),
                Map.of(
                        "postgresql",
                        new LabFile.TargetFacts("postgresql", "PostgreSQL 18", true, Map.of("fsync", "off"))),
                Map.of(),
                new LabFile.Plan(List.copyOf(rates.keySet()), 3, 0, 0, 20_000, 10_000_000, 60, null),
                List.of(),
                trials,
                List.of());
    }

    @Test
    void ratiosComeFromCellsThatDifferInTheSystemOnly() {
        String text = Reports.text(List.of(run(Map.of(
                cell("auto", 10, 0), List.of(50_000.0, 60_000.0, 55_000.0),
                cell("auto", 20, 0), List.of(99_000.0, 99_001.0, 99_002.0),
                cell("quartz", 10, 0), List.of(250.0, 260.0, 255.0)))));
        assertThat(text.lines().filter(line -> line.startsWith("| quartz ")).findFirst())
                .hasValueSatisfying(line -> assertThat(line).containsSubsequence("255 |", "55,000 |", "216 |"));
        assertThat(text).contains("1×: 99,990").contains("2×: 10").contains("20 %");
    }

    @Test
    void runsOfDifferentMachinesAreTwoRowsAndTwoColumnsWithoutARatio() {
        Cell cell = cell("auto", 10, 0);
        String text = Reports.text(List.of(
                run("abc", "slow", Map.of(cell, List.of(10_000.0, 10_100.0, 10_200.0))),
                run("abc", "fast", Map.of(cell, List.of(90_000.0, 90_100.0, 90_200.0)))));
        assertThat(rows(text, "| Pawl auto, run 1 "))
                .anySatisfy(row -> assertThat(row).contains("10,100 |"));
        assertThat(rows(text, "| Pawl auto, run 2 "))
                .anySatisfy(row -> assertThat(row).contains("90,100 |"));
        assertThat(rows(text, "| postgresql auto, 10 workers "))
                .anySatisfy(row -> assertThat(row).containsSubsequence("10,100 |", "90,100 |", "–"));
        assertThat(rows(text, "| run 2 "))
                .anySatisfy(row -> assertThat(row).contains("machine").doesNotContain("commit"));
        assertThat(rows(text, "| run 2: machine ")).hasSize(1);
    }

    /** Each of the two cells was measured once; that does not make them one run. */
    @Test
    void systemsOnDifferentMachinesHaveNoRatioAndNoCommonCurve() {
        String text = Reports.text(List.of(
                run("abc", "slow", Map.of(cell("auto", 10, 0), List.of(10_000.0, 10_100.0, 10_200.0))),
                run(
                        "abc",
                        "fast",
                        Map.of(
                                cell("quartz", 10, 0), List.of(900.0, 901.0, 902.0),
                                cell("auto", 20, 0), List.of(90_000.0, 90_100.0, 90_200.0)))));
        assertThat(rows(text, "| Pawl auto, 10 workers, run 1 "))
                .anySatisfy(row -> assertThat(row).contains("10,100"));
        assertThat(rows(text, "| quartz, 10 workers, run 2 "))
                .anySatisfy(row -> assertThat(row).contains("901"));
        assertThat(text).doesNotContain("in the same rounds");
        assertThat(Reports.html(List.of(
                        run("abc", "slow", Map.of(cell("auto", 10, 0), List.of(10_000.0))),
                        run("abc", "fast", Map.of(cell("auto", 20, 0), List.of(90_000.0))))))
                .doesNotContain("over workers");
        assertThat(Reports.html(List.of(run(
                        "abc",
                        "fast",
                        Map.of(cell("auto", 10, 0), List.of(10_000.0), cell("auto", 20, 0), List.of(90_000.0))))))
                .contains("Drain on postgresql over workers")
                .contains("Claims lost on postgresql over workers");
    }

    @Test
    void thePerformancePageHasATableForEachSubject() {
        Cell many = new Cell(
                Measure.DRAIN, "postgresql", "auto+workers=40", 200, 0, 60_000, 0, 60, 20, Disturbance.NONE, false, 0);
        String text = Reports.performance(List.of(run(Map.of(
                cell("auto", 10, 0),
                List.of(50_000.0, 60_000.0, 55_000.0),
                cell("rows", 10, 0),
                List.of(20_000.0, 20_100.0, 20_200.0),
                cell("db-scheduler", 10, 0),
                List.of(5_000.0, 5_500.0, 5_600.0),
                cell("auto+keys", 10, 0),
                List.of(15_000.0, 15_075.0, 15_100.0),
                cell("auto+transaction", 10, 0),
                List.of(2_000.0, 2_001.0, 2_002.0),
                cell("raw-marker", 10, 0),
                List.of(4_000.0, 4_002.0, 4_004.0),
                cell("auto+due", 10, 0),
                List.of(11_000.0, 11_001.0, 11_002.0),
                many,
                List.of(8_000.0, 9_000.0, 9_100.0)))));
        assertThat(text).doesNotContain("## Latency");
        assertThat(row(text, "Throughput", "postgresql: Pawl auto ")).containsSubsequence("55,000 |", "10 |");
        assertThat(row(text, "Many workers", "postgresql: Pawl auto")).containsSubsequence("40 × 5", "9,000 |", "90 %");
        assertThat(row(text, "Exactly once", "postgresql: Pawl auto+transaction"))
                .containsSubsequence("2,001", "50 %");
        assertThat(row(text, "Features", "postgresql: Pawl auto+keys")).containsSubsequence("15,100", "75 %");
        assertThat(row(text, "Delayed jobs", "postgresql: Pawl auto")).containsSubsequence("11,000", "20 %");
    }

    private static String row(String text, String title, String name) {
        String section = text.substring(text.indexOf("## " + title));
        return section.lines()
                .filter(line -> line.startsWith("| " + name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void failedTrialsHaveNoRateAndNoRatio() {
        LabFile run = run(Map.of(
                cell("auto", 10, 0), List.of(10_000.0, 10_100.0, 10_200.0), cell("quartz", 10, 0), List.of(900.0)));
        List<Trial> trials = run.trials().stream()
                .map(trial -> trial.cell().system().equals("quartz")
                        ? new Trial(trial.cell(), 1, trial.at(), "it fell over", null, null, null, null, null, null)
                        : trial)
                .toList();
        String text = Reports.text(List.of(new LabFile(
                run.format(),
                run.command(),
                run.environment(),
                run.targets(),
                run.settings(),
                run.plan(),
                run.skipped(),
                trials,
                run.deadlocks())));
        assertThat(rows(text, "| quartz "))
                .extracting(row -> row.replaceAll(" +", " "))
                .containsExactly(
                        "| quartz | – | – | – | – | 1 | 1 of 1 failed; few rounds |",
                        "| quartz | 100,000 | 10 | 0 | – | 100,000 | – | – | 10,100 | – |"
                                + " theirs: 1 of 1 failed; theirs: few rounds |");
    }

    @Test
    void differentSetupsHaveNoRatio() {
        Cell cell = cell("DBP-0-0-5", 10, 0);
        LabFile one = run(Map.of(cell, List.of(1_000.0, 1_000.0, 1_000.0)));
        LabFile other = run(Map.of(cell, List.of(3_000.0, 3_000.0, 3_000.0)));
        LabFile fresh = new LabFile(
                other.format(),
                other.command(),
                other.environment(),
                other.targets(),
                Map.of("postgresql/DBP-0-0-5", "never analysed"),
                other.plan(),
                other.skipped(),
                other.trials(),
                other.deadlocks());
        String text = Reports.text(List.of(one, fresh));
        assertThat(rows(text, "| postgresql DBP-0-0-5, 10 workers "))
                .anySatisfy(row -> assertThat(row).containsSubsequence("1,000 |", "3,000 |", "–"));
    }

    @Test
    void runsThatDifferInPawlAloneHaveARatioAndEqualOnesAreMoreRounds() {
        Cell cell = cell("auto", 10, 0);
        String text = Reports.text(List.of(
                run("old", "a cpu", Map.of(cell, List.of(20_000.0, 20_100.0, 20_200.0))),
                run("new", "a cpu", Map.of(cell, List.of(40_199.0, 40_200.0, 40_201.0))),
                run("new", "a cpu", Map.of(cell, List.of(40_198.0, 40_202.0, 40_200.0))),
                run("new", "a cpu", Map.of(cell, List.of(40_198.0, 40_202.0, 40_200.0)))));
        assertThat(rows(text, "| postgresql auto, 10 workers "))
                .anySatisfy(row -> assertThat(row).containsSubsequence("20,100 |", "40,200 |", " 2 |"));
        assertThat(rows(text, "| Pawl auto, run 2 "))
                .as("a file that is given twice counts once")
                .anySatisfy(row -> assertThat(row).containsSubsequence("40,200 |", " 6 |"));
        assertThat(rows(text, "| Pawl auto, run 3 ")).isEmpty();
    }

    @Test
    void runsContinuedOnAnotherDaySaySo() {
        String text = Reports.text(List.of(run(Map.of(cell("auto", 10, 0), List.of(20_000.0)))));
        assertThat(rows(text, "| run "))
                .singleElement()
                .asString()
                .contains("2026-11-20T10:00:00Z until 2026-11-21T00:00:00Z");
    }

    @Test
    void studyDesignsAreShownBesidePublishedResults() {
        String text = Reports.text(List.of(run(Map.of(cell("DBP-0-0-5", 10, 0), List.of(1_000.0, 1_100.0, 1_200.0)))));
        assertThat(text).contains("The study's designs on PostgreSQL 18");
        assertThat(rows(text, "| DBP-0-0-5 "))
                .anySatisfy(row -> assertThat(row)
                        .containsSubsequence(" 273 |", " 550 |", "500 … 600", " 1,100 |", "–", "20 %", " 3 |")
                        .doesNotContain("few rounds"));
        assertThat(rows(Reports.text(List.of(run(Map.of(cell("DBP-0-0-5", 10, 0), List.of(1_000.0))))), "| DBP-0-0-5 "))
                .anySatisfy(row -> assertThat(row).containsSubsequence(" 273 |", " 1 |", "few rounds"));
    }

    @Test
    void namesOfTheStudyAreExplained() {
        List<Double> rates = List.of(1_000.0);
        assertThat(Reports.text(List.of(run(Map.of(cell("DBP-0-0-5", 10, 0), rates)))))
                .contains("tries of the delete");
        assertThat(Reports.text(List.of(run(Map.of(cell("auto", 10, 0), rates)))))
                .doesNotContain("DBP");
    }

    @Test
    void missingCountsAreDashes() {
        String text = Reports.text(List.of(run(Map.of(cell("auto", 10, 0), List.of(1_000.0)))));
        assertThat(rows(text, "| postgresql: Pawl auto "))
                .anySatisfy(row -> assertThat(row).containsSubsequence("–", " 3 |", "–", "–", "20 %"));
    }

    @Test
    void theAdviceMentionsDisabledDeadlockDetection() {
        LabFile run = run(Map.of(cell("auto", 10, 0), List.of(1_000.0, 1_000.0, 1_000.0)));
        assertThat(Advice.of(run)).noneMatch(words -> words.contains("deadlocks"));
        LabFile blind = new LabFile(
                run.format(),
                run.command(),
                run.environment(),
                Map.of(
                        "postgresql",
                        new LabFile.TargetFacts(
                                "mariadb",
                                "MariaDB",
                                true,
                                Map.of("innodb_deadlock_detect", "OFF", "innodb_lock_wait_timeout", "7"))),
                run.settings(),
                run.plan(),
                run.skipped(),
                run.trials(),
                run.deadlocks());
        assertThat(Advice.of(blind))
                .anySatisfy(words ->
                        assertThat(words).contains("does not detect deadlocks", "(7 s)", "Do not use pessimistic"));
    }

    private static List<String> rows(String text, String start) {
        return text.lines().filter(line -> line.startsWith(start)).toList();
    }

    @Test
    void thePageIsSelfContainedAndItsScriptIsSafe() {
        String page = Reports.html(List.of(run(Map.of(cell("auto", 10, 0), List.of(50_000.0, 51_000.0, 52_000.0)))));
        assertThat(page)
                .contains("a cpu &lt;/script&gt;")
                .contains("echarts.init", "boxplot")
                .doesNotContain("@OPTIONS@");
        String ours = page.substring(0, page.indexOf("<script>"));
        assertThat(ours).doesNotContain("src=").doesNotContain("http://").doesNotContain("https://");
        assertThat(page.split("</script>", -1))
                .as("two scripts, each ended once")
                .hasSize(3);
    }

    @Test
    void unrecordedJobsAreReported() {
        Cell cell = cell("auto", 10, 0);
        Trial some = trial(cell, 1, 1_000);
        Trial.Drained drained = Objects.requireNonNull(some.drained());
        assertThat(rows(repeats(drained, some, Map.of(1, 99_990L)), "| postgresql: Pawl auto | 100,000 "))
                .singleElement()
                .asString()
                .contains("0×: 10, 1×: 99,990");
        assertThat(rows(repeats(drained, some, Map.of(1, 100_000L)), "| postgresql: Pawl auto | 100,000 "))
                .singleElement()
                .asString()
                .contains("each once");
        assertThat(rows(repeats(drained, some, Map.of()), "| postgresql: Pawl auto | 100,000 "))
                .singleElement()
                .asString()
                .doesNotContain("each once");
    }

    private static String repeats(Trial.Drained drained, Trial trial, Map<Integer, Long> executions) {
        LabFile run = run(Map.of(trial.cell(), List.of(1.0)));
        Trial changed = new Trial(
                trial.cell(),
                1,
                trial.at(),
                null,
                new Trial.Drained(
                        drained.startupMillis(),
                        drained.enqueuedPerSecond(),
                        drained.jobsPerSecond(),
                        drained.ownJobsPerSecond(),
                        drained.longestPauseMillis(),
                        drained.ordering(),
                        executions,
                        drained.faults(),
                        drained.cost(),
                        null,
                        null,
                        null),
                null,
                null,
                trial.box(),
                null,
                null);
        return Reports.text(List.of(new LabFile(
                run.format(),
                run.command(),
                run.environment(),
                run.targets(),
                run.settings(),
                run.plan(),
                run.skipped(),
                List.of(changed),
                run.deadlocks())));
    }

    private static Trial onNodes(Cell cell, int nodes, long claims, long lost) {
        Trial trial = trial(cell, 1, 50_000.0 * nodes);
        return new Trial(
                cell,
                1,
                trial.at(),
                null,
                trial.drained(),
                null,
                null,
                trial.box(),
                null,
                new Trial.OnNodes(nodes, claims, lost, 90));
    }

    @Test
    void nodesOfAClusterAreComparedWithOneOfThem() {
        LabFile run = run(Map.of(cell("auto", 10, 0), List.of(1.0)));
        Trial one = onNodes(cell("auto", 10, 0), 1, 400, 0);
        Trial three = onNodes(cell("auto", 20, 0), 3, 396, 4);
        String text = Reports.text(List.of(with(run, List.of(one, three))));
        assertThat(row(text, "On the nodes of a cluster", "postgresql: Pawl auto, 20 workers")
                        .replaceAll(" +", " "))
                .contains("| 3 | 150,000 | 396 | 4 | 1 % | 90 |");
        assertThat(row(text, "On the nodes of a cluster", "postgresql: Pawl auto, 10 workers")
                        .replaceAll(" +", " "))
                .contains("| 1 | 50,000 | 400 | 0 | 0 % | 90 |");
        assertThat(Reports.text(List.of(with(run, List.of(one))))).doesNotContain("nodes of a cluster");
    }

    private static Trial load(Cell cell, int round, double rate, double atTheEnd) {
        return new Trial(
                cell,
                round,
                "2026-11-21T00:00:00Z",
                null,
                null,
                null,
                null,
                new Trial.Box(60, 0.01),
                new Trial.Loaded(
                        1, rate, atTheEnd, List.of((long) rate, (long) atTheEnd), 5L, new Trial.Memory(1 << 20, null)),
                null);
    }

    private static LabFile with(LabFile run, List<Trial> trials) {
        return new LabFile(
                run.format(),
                run.command(),
                run.environment(),
                run.targets(),
                run.settings(),
                run.plan(),
                run.skipped(),
                trials,
                run.deadlocks());
    }

    @Test
    void aLoadUnderAnOpenTransactionIsAShareOfTheSameLoadWithoutIt() {
        Cell free = new Cell(Measure.LOAD, "postgresql", "rows", 10, 0, 9_000, 0, 60, 0, Disturbance.NONE, false, 0);
        Cell held = free.with(Disturbance.HELD_SNAPSHOT);
        List<Trial> trials = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            trials.add(load(free, round, 1_000 + round, 900 + round));
            trials.add(load(held, round, 501, 90.2));
        }
        LabFile run = with(run(Map.of(free, List.of(), held, List.of())), trials);
        String text = Reports.text(List.of(run));
        assertThat(text).contains("## Under load", "The queue is full for 60 s");
        assertThat(rows(text, "| postgresql: Pawl rows, 9,000 waiting | an open transaction "))
                .singleElement()
                .asString()
                .containsSubsequence("501 |", "90.2 |", "50 % |", "10 % |", "5 |", "1 |");
        assertThat(Reports.html(List.of(run))).contains("Pawl rows, 9,000 waiting, held");
    }

    @Test
    void aBacklogIsComparedWithTheSameJobsAlone() {
        Cell alone = cell("auto", 10, 0);
        Cell behind = alone.with(Disturbance.BACKLOG);
        String text = Reports.text(
                List.of(run(Map.of(alone, List.of(1_000.0, 1_001.0, 1_002.0), behind, List.of(900.9, 901.0, 900.8)))));
        assertThat(text).contains("## Behind a backlog", "with 10,000,000 others behind them");
        assertThat(rows(text, "| postgresql: Pawl auto, 100,000 jobs "))
                .singleElement()
                .asString()
                .containsSubsequence("1,001 |", "901 |", "90 % |");
        assertThat(text).doesNotContain("With something in the way");
    }

    @Test
    void lanesAndRowsAreComparedAtEachBatch() {
        String text = Reports.text(List.of(run(Map.of(
                cell("auto", 10, 1), List.of(2_000.0, 2_002.0, 2_004.0),
                cell("rows", 10, 1), List.of(1_000.0, 1_001.0, 1_002.0),
                cell("auto", 10, 10), List.of(9_000.0, 9_001.0, 9_002.0)))));
        assertThat(text).contains("## Lanes and rows");
        assertThat(rows(text, "| postgresql, 10 workers "))
                .singleElement()
                .asString()
                .containsSubsequence("1 |", "100,000 |", "2,002 |", "1,001 |", "2 |", "2 … 2 |");
    }

    /** The name of a database is part of the charts' data. */
    @Test
    void chartDataCannotEndTheScript() {
        Cell cell =
                new Cell(Measure.DRAIN, "x</script>@ECHARTS@", "auto", 10, 0, 9, 0, 60, 0, Disturbance.NONE, false, 0);
        String page = Reports.html(List.of(run(Map.of(cell, List.of(1.0, 2.0, 3.0)))));
        assertThat(page.split("</script>", -1)).hasSize(3);
        assertThat(page).contains("x\\u003c/script>@ECHARTS@");
    }

    @Test
    void adviceNamesTheFastestStrategyAndTheSmallestGoodBatch() {
        List<String> advice = Advice.of(run(Map.of(
                cell("auto", 10, 0), List.of(50_000.0, 50_100.0, 50_200.0),
                cell("auto", 10, 1), List.of(2_000.0, 2_001.0, 2_002.0),
                cell("auto", 10, 100), List.of(48_000.0, 48_001.0, 48_002.0),
                cell("pessimistic", 10, 0), List.of(20_000.0, 20_001.0, 20_002.0))));
        assertThat(advice.get(0)).startsWith("Strategy: leave it at auto, which is lanes");
        assertThat(advice.get(1)).contains("pessimistic makes 20,000, since its claims wait");
        assertThat(advice.get(2))
                .startsWith("Batch: 100 is enough for 95.8 %")
                .contains("one job at a time makes 2,001");
        assertThat(advice).anySatisfy(words -> assertThat(words).contains("may lose its last commits"));

        assertThat(Advice.of(run(Map.of(
                        cell("auto", 10, 0), List.of(10_000.0, 10_001.0, 10_002.0),
                        cell("optimistic", 10, 0), List.of(20_000.0, 20_001.0, 20_002.0)))))
                .first()
                .satisfies(words -> assertThat(words).startsWith("Strategy: optimistic, with 20,000"));
    }
}
