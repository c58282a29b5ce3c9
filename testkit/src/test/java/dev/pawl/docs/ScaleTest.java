package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** The arithmetic of docs/reference/scale.md. */
class ScaleTest {
    private static final double SECONDS_OF_A_DAY = 86_400;
    private static final double PEAK = 5;
    private static final double JOBS_OF_A_CLAIM = 1_000;
    /** The page rounds to three digits. */
    private static final Percentage ROUNDED = Percentage.withPercentage(0.6);

    private record Cost(double logBytes, double cpuMicros, double diskBytes) {}

    private static String page(String name) throws IOException {
        return Files.readString(DocsTest.HOME.resolve("docs").resolve(name));
    }

    private static List<String> cells(String row) {
        return Arrays.stream(row.split("\\|")).skip(1).map(String::strip).toList();
    }

    private static double number(String cell) {
        return Double.parseDouble(cell.replace(",", ""));
    }

    /** {@return the rows of the table that follows the first line with this start} */
    private static List<List<Double>> table(String page, String start) {
        return page.substring(page.indexOf("\n" + start))
                .lines()
                .dropWhile(line -> !line.startsWith("|---"))
                .skip(1)
                .takeWhile(line -> line.startsWith("|"))
                .map(row -> cells(row).stream().map(ScaleTest::number).toList())
                .toList();
    }

    private static Cost cost(String page, String kind) {
        List<String> row = page.lines()
                .filter(line -> line.startsWith("| " + kind + " |"))
                .map(ScaleTest::cells)
                .findFirst()
                .orElseThrow();
        return new Cost(number(row.get(1)), number(row.get(2)), number(row.get(3)));
    }

    private static void requireComputed(String page, String kind) {
        Cost cost = cost(page, kind);
        List<List<Double>> rows = table(page, "For " + kind + ":");
        assertThat(rows).hasSize(4).allSatisfy(row -> {
            double jobs = row.get(0);
            double mean = jobs / SECONDS_OF_A_DAY;
            double peak = PEAK * mean;
            List<Double> computed = List.of(
                    jobs,
                    mean,
                    peak,
                    peak * cost.logBytes / 1e6,
                    peak * cost.cpuMicros / 1e6,
                    2 * peak / JOBS_OF_A_CLAIM,
                    jobs * cost.logBytes / 1e9,
                    jobs * cost.diskBytes / 1e9);
            for (int i = 0; i < computed.size(); i++) {
                assertThat(row.get(i)).as("%s, column %d", kind, i).isCloseTo(computed.get(i), ROUNDED);
            }
        });
    }

    @Test
    void eachColumnFollowsFromTheCostOfAJob() throws IOException {
        String page = page("reference/scale.md");
        requireComputed(page, "lanes");
        requireComputed(page, "rows");
    }

    @Test
    void theCostsAreThoseOfTheRun() throws IOException {
        String scale = page("reference/scale.md");
        String measured = page("inside/performance.md");
        Function<String, List<String>> run =
                system -> Pattern.compile("(?m)^\\| postgresql: Pawl " + system + " +\\|.*$")
                        .matcher(measured.substring(measured.indexOf("\n## Throughput")))
                        .results()
                        .map(row -> cells(row.group()))
                        .findFirst()
                        .orElseThrow();
        Map.of("lanes", "auto", "rows", "rows").forEach((store, system) -> {
            Cost cost = cost(scale, store);
            List<String> row = run.apply(system);
            assertThat(cost.cpuMicros).isCloseTo(number(row.get(6)), within(0.005));
            assertThat(cost.logBytes).isCloseTo(number(row.get(7)), within(0.5));
        });
    }

    @Test
    void measuredRatesAreGivenForADayToo() throws IOException {
        List<List<String>> rows = page("reference/scale.md")
                .lines()
                .dropWhile(line -> !line.startsWith("## Measured points"))
                .dropWhile(line -> !line.startsWith("|---"))
                .skip(1)
                .takeWhile(line -> line.startsWith("|"))
                .map(ScaleTest::cells)
                .toList();
        assertThat(rows)
                .hasSizeGreaterThan(5)
                .allSatisfy(row ->
                        assertThat(number(row.get(2))).isCloseTo(number(row.get(1)) * SECONDS_OF_A_DAY, ROUNDED));
    }
}
