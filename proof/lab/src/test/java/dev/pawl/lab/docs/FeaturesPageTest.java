package dev.pawl.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/inside/feature-tests.md: each claimed feature names tests that exist; docs/reference/features.md has no gaps. */
class FeaturesPageTest {
    private static final Pattern ROW = Pattern.compile("^\\| ([^|*]+) \\| ([^|]+) \\|", Pattern.MULTILINE);
    private static final Pattern SHOWN = Pattern.compile("\\[`(\\w+)(?:\\.(\\w+))?`]\\(\\.\\./\\.\\./([^)]+)\\)");
    private static final Pattern YES = Pattern.compile("yes: %1$s(?:, %1$s)*".formatted(SHOWN.pattern()));

    private static Path home() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("README.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "not in a checkout");
        }
        return folder;
    }

    @Test
    void everyYesNamesItsTest() throws IOException {
        String page = Files.readString(home().resolve("docs/inside/feature-tests.md"));
        List<MatchResult> rows = ROW.matcher(page).results().skip(1).toList();
        assertThat(rows).hasSizeGreaterThan(50);
        for (MatchResult row : rows) {
            String cell = row.group(2).strip();
            if (cell.equals("no")) {
                continue;
            }
            assertThat(cell).as(row.group(1)).matches(YES);
            for (MatchResult shown : SHOWN.matcher(cell).results().toList()) {
                requireTest(row.group(1), shown);
            }
        }
    }

    /** A reader cannot tell an empty cell from a no. */
    @Test
    void everyCellOfTheComparisonIsFilled() throws IOException {
        String page = Files.readString(home().resolve("docs/reference/features.md"));
        List<String> rows = page.lines()
                .filter(line -> line.startsWith("| ") && line.split(" \\| ", -1).length > 5)
                .filter(line -> !line.startsWith("| **"))
                .toList();
        int columns = rows.get(0).split("\\|", -1).length;
        assertThat(rows).hasSizeGreaterThan(30);
        for (String row : rows.subList(1, rows.size())) {
            List<String> cells = List.of(row.split("\\|", -1));
            assertThat(cells).as(row).hasSize(columns);
            assertThat(cells.subList(1, columns - 1)).as(row).noneMatch(String::isBlank);
        }
        for (String peer : rows.get(0).split("\\|", -1)) {
            if (!peer.isBlank()) {
                assertThat(page).as("the source of the column").contains("\n| " + peer.strip() + " | ");
            }
        }
    }

    private static void requireTest(String row, MatchResult shown) throws IOException {
        Path file = home().resolve(shown.group(3));
        assertThat(file).as(row).isRegularFile();
        assertThat(shown.group(3)).as("a test: %s", row).contains("/src/test/");
        assertThat(file.getFileName()).hasToString(shown.group(1) + ".java");
        String method = shown.group(2);
        if (method != null) {
            assertThat(Files.readString(file)).as(row).contains("void " + method + "(");
        }
    }
}
