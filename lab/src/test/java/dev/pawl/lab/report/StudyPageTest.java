package dev.pawl.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.run.LabFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of docs/study.md are what the lab prints for the files that are kept beside it. */
class StudyPageTest {
    private static Path docs() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/study.md"))) {
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

    @Test
    void thePageHoldsWhatTheReportOfTheKeptFilesPrints() throws IOException {
        List<LabFile> kept;
        try (Stream<Path> files = Files.list(docs().resolve("results"))) {
            kept = files.filter(file -> file.getFileName().toString().matches("study-.*\\.json\\.gz"))
                    .sorted()
                    .map(StudyPageTest::read)
                    .toList();
        }
        assertThat(kept).isNotEmpty();
        String report = Reports.text(kept);
        String page = Files.readString(docs().resolve("study.md"));
        for (String title : List.of("The study's rates", "The study's order and repeats")) {
            String section = report.substring(report.indexOf("## " + title));
            int next = section.indexOf("\n## ");
            assertThat(page)
                    .as("print it anew with pawl lab report --text-only docs/results/study-*.json.gz")
                    .contains(next < 0 ? section : section.substring(0, next));
        }
    }
}
