package dev.pawl.specification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.specification.faults.EngineError.Meaning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The library treats the documented errors of engines as its page says. */
class EngineErrorTest {
    private static final Pattern CODES = Pattern.compile("\\b(\\d{4}) to (\\d{4})\\b|\\b(\\d{4}|\\d[0-9A-Z]{4})\\b");

    private static Path page() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/inside/engines.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "not in a checkout");
        }
        return folder.resolve("docs/inside/engines.md");
    }

    /** What the table of codes says, by engine and code. */
    private static Map<String, String> ofThePage() throws IOException {
        Map<String, String> all = new TreeMap<>();
        List<String> engines = List.of();
        List<String> rows = Files.readString(page())
                .lines()
                .dropWhile(line -> !line.equals("## Codes"))
                .dropWhile(line -> !line.startsWith("|--"))
                .skip(1)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        for (String row : rows) {
            List<String> cells =
                    Arrays.stream(row.split("\\|")).map(String::strip).toList();
            if (!cells.get(1).isEmpty()) {
                engines = List.of(cells.get(1).split(", "));
            }
            String meaning = cells.get(4).replaceFirst("[,;:].*", "");
            for (String engine : engines) {
                codes(cells.get(2)).forEach(code -> all.put(engine + " " + code, meaning));
            }
        }
        return all;
    }

    private static List<String> codes(String cell) {
        Matcher found = CODES.matcher(cell);
        return found.results()
                .flatMap(code -> code.group(1) == null
                        ? Stream.of(code.group(3))
                        : IntStream.rangeClosed(Integer.parseInt(code.group(1)), Integer.parseInt(code.group(2)))
                                .mapToObj(Integer::toString))
                .toList();
    }

    @Test
    void thePageListsTheSameErrors() throws IOException {
        Map<String, String> listed = Stream.of(EngineError.values())
                .collect(Collectors.toMap(
                        error -> error.engine + " " + error.code(),
                        error -> error.meaning.words,
                        (one, other) -> one.equals(other) ? one : one + " and " + other,
                        TreeMap::new));
        assertThat(ofThePage()).isEqualTo(listed);
    }

    @Test
    void theLibraryJudgesThemAsListed() {
        for (EngineError error : EngineError.values()) {
            assertThat(Meaning.of(error.exception())).as("%s", error).isEqualTo(error.meaning);
        }
    }
}
