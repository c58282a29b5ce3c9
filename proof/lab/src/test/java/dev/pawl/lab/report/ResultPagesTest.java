package dev.pawl.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.run.LabFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The tables of result pages match the lab's output for the files stored beside them. */
class ResultPagesTest {
    private static Path docs() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/inside/study.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "not in a checkout");
        }
        return folder.resolve("docs");
    }

    private static LabFile read(Path file) {
        try {
            return LabFile.read(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "study.md          | study       | The study's rates",
                "study.md          | study       | The study's order and repeats",
                "study-settings.md | settings    | The study's rates",
                "study-settings.md | settings    | With something in the way",
                "performance-lanes.md | lanes    | Lanes and rows",
                "performance-lanes.md | lanes    | Under load",
                "performance-lanes.md | lanes    | Behind a backlog",
                "performance-features.md | features | How fast"
            },
            quoteCharacter = '"')
    void aPageHoldsWhatTheReportOfItsFilesPrints(String page, String files, String title) throws IOException {
        assertThat(Files.readString(docs().resolve("inside").resolve(page)))
                .as("print it anew with pawl lab report --text-only docs/results/%s-*.json.gz", files)
                .contains(section(Reports.text(kept(files)), title));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Throughput", "Many workers", "Exactly once", "Latency", "Features", "Delayed jobs"})
    void thePageOnPerformanceHoldsTheTablesOfItsRun(String title) throws IOException {
        assertThat(Files.readString(docs().resolve("inside/performance.md")))
                .as("print it anew with pawl lab report --performance docs/results/performance-*.json.gz")
                .contains(section(Reports.performance(kept("performance")), title));
    }

    private static List<LabFile> kept(String files) throws IOException {
        try (Stream<Path> all = Files.list(docs().resolve("results"))) {
            List<LabFile> kept = all.filter(
                            file -> file.getFileName().toString().matches(files + "-.*\\.json\\.gz"))
                    .sorted()
                    .map(ResultPagesTest::read)
                    .toList();
            assertThat(kept).isNotEmpty();
            return kept;
        }
    }

    private static String section(String report, String title) {
        int begin = report.indexOf("## " + title + "\n");
        assertThat(begin).as("a section with this title").isPositive();
        int end = report.indexOf("\n## ", begin);
        return report.substring(begin, end < 0 ? report.length() : end).stripTrailing();
    }

    @Test
    void thePageOfTheScenariosMatchesItsFile() throws IOException {
        String page = Files.readString(docs().resolve("inside/scenarios.md"));
        JsonNode file;
        try (InputStream packed = new GZIPInputStream(
                Files.newInputStream(docs().resolve("results").resolve("scenarios.json.gz")))) {
            file = JsonMapper.builder().build().readTree(packed);
        }
        assertThat(file.get("shown")).hasSizeGreaterThan(5);
        for (JsonNode one : file.get("shown")) {
            List<List<String>> rows = new ArrayList<>();
            one.get("rows").forEach(row -> rows.add(texts(row)));
            assertThat(page)
                    .contains(Reports.scenario(
                                    one.get("scenario").asString(),
                                    one.get("says").asString(),
                                    "On " + one.get("database").asString(),
                                    texts(one.get("head")),
                                    rows)
                            .strip());
        }
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(one -> texts.add(one.asString()));
        return texts;
    }
}
