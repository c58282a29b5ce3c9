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

/** SQL statements do not search the text of headers, because each fact about a job that a statement needs has a column. */
class HeadersInSqlTest {
    /**
     * The headers column, with or without a table's alias, in a comparison or as the argument of a function or of a generated condition.
     */
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

    /** Another class that names a reserved header would search headers by it, or use the header without the checks. */
    @Test
    void onlyOneClassKnowsTheNamesOfReservedHeaders() throws IOException {
        assertThat(found(NAME, "ReservedHeaders.java")).isEmpty();
        assertThat(found(NAME, "")).isNotEmpty();
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
