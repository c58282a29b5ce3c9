package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Statements do not search the text of headers: what they need to know of a job is a column. */
class HeadersInSqlTest {
    /** The text of the column compared, or as the argument of a function or of a condition that is built; it may have a table's alias. */
    private static final Pattern SEARCH = Pattern.compile(
            "\\bheaders\\s+(NOT\\s+)?(LIKE|REGEXP|RLIKE|GLOB|SIMILAR|COLLATE)\\b"
                    + "|\\bheaders\\s*(~|!~|@>|\\?\\||->|#>|<>|!=)"
                    + "|\\b(WHERE|AND|OR|WHEN|NOT)\\s+\\(?(\\w+\\.)?headers\\s*="
                    + "|\\b(REPLACE|INSTR|LOCATE|POSITION|STRPOS|SUBSTR|SUBSTRING|LIKE|GLOB|JSON_\\w+|JSONB?_\\w+|holds|COALESCE)"
                    + "\\(\\s*\"?(\\w+\\.)?headers\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern NAME =
            Pattern.compile("pawl-(key|batch|cost|expires|unique|added-by|timeout|retry|schedule|tick|callback-of)\"");

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
            return files.filter(file ->
                            file.toString().endsWith(".java") || file.toString().endsWith(".sql"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> found(Pattern pattern, String except) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : sources()) {
            if (!file.endsWith(except)) {
                pattern.matcher(Files.readString(file))
                        .results()
                        .forEach(match -> found.add(file.getFileName() + ": " + match.group()));
            }
        }
        return found;
    }

    @Test
    void noStatementSearchesHeaders() throws IOException {
        assertThat(sources()).hasSizeGreaterThan(300);
        assertThat(found(SEARCH, "")).isEmpty();
    }

    /** A name of a header elsewhere would be part of a search, or a header that nobody checks. */
    @Test
    void onlyOneClassKnowsTheNamesOfReservedHeaders() throws IOException {
        assertThat(found(NAME, "ReservedHeaders.java")).isEmpty();
    }

    @Test
    void searchesAreRecognized() {
        for (String sql : List.of(
                "WHERE headers LIKE '%x%'",
                "AND j.headers NOT LIKE ?",
                "REPLACE(headers, ?, '') <> headers",
                "holds(\"headers\")",
                "WHERE id = ? AND headers = ?",
                "headers->>'a'",
                "json_extract(headers, '$.a')",
                "COALESCE(j.headers, '')")) {
            assertThat(SEARCH.matcher(sql).find()).as(sql).isTrue();
        }
        for (String sql :
                List.of("SELECT headers FROM", "SET tags = ?, headers = ?, payload", "NULLIF(r.headers, '')")) {
            assertThat(SEARCH.matcher(sql).find()).as(sql).isFalse();
        }
    }
}
