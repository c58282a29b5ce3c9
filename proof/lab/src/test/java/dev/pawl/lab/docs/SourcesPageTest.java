package dev.pawl.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.pawl.lab.scenario.Scenario;
import dev.pawl.lab.study.Designs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/inside/sources.md: it covers all points of the sources, and everything that it names exists. */
class SourcesPageTest {
    private static final int POINTS = 149;
    private static final Path HOME = home();
    private static final String PAGE = read(HOME.resolve("docs/inside/sources.md"));

    private static final String CELL = " ([^|\\s][^|]*) \\|";
    private static final Pattern ROW = Pattern.compile("^\\| (\\d+) \\|" + CELL + CELL + CELL + "$", Pattern.MULTILINE);
    private static final Pattern ANY_ROW = Pattern.compile("^\\|\\s*\\d+\\s*\\|", Pattern.MULTILINE);
    private static final Pattern COUNTED =
            Pattern.compile("Of the (\\d+) points (\\d+) are there, (\\d+) in part, (\\d+) declined\\.");
    private static final Pattern REASON =
            Pattern.compile("^- \\*\\*[^*]*\\((\\d[\\d, ]*)\\)\\.\\*\\*", Pattern.MULTILINE);
    private static final Pattern NAMED_TEST = Pattern.compile("\\b([A-Z]\\w*(?:Test|Contract))\\b(?:\\.([a-z]\\w*))?");
    private static final Pattern TEST_METHOD =
            Pattern.compile("@(?:Test|ParameterizedTest)\\b.*?\\bvoid (\\w+)\\(", Pattern.DOTALL);
    private static final Pattern SCENARIOS = Pattern.compile("pawl lab scenario ([a-z][a-z -]*[a-z])");
    private static final Pattern DESIGN = Pattern.compile("\\bDB[PO]-[\\w.-]*\\w");
    private static final Pattern COMMAND = Pattern.compile("`pawl ([a-z-]+)(?: ([a-z-]+))?");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");
    private static final Pattern MEMBER = Pattern.compile("`([A-Z][a-z]\\w*)(?:\\.([A-Za-z]\\w*))?`");

    private record Row(int number, String inPawl) {
        boolean isInPart() {
            return inPawl.startsWith("in part: ");
        }

        boolean isDeclined() {
            return inPawl.startsWith("declined: ");
        }
    }

    private static Path home() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("README.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "not in a checkout");
        }
        return folder;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(file + " cannot be read", e);
        }
    }

    /** Returns the sources of all modules by class name; the sources of classes with the same name are concatenated. */
    private static Map<String, String> classes(String kind) throws IOException {
        Map<String, String> classes = new TreeMap<>();
        for (Path folder : modules()) {
            Path sources = folder.resolve("src/" + kind + "/java");
            if (Files.isDirectory(sources)) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .forEach(file -> classes.merge(
                                    file.getFileName().toString().replace(".java", ""), read(file), String::concat));
                }
            }
        }
        return classes;
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> published = Files.list(HOME);
                Stream<Path> others = Files.list(HOME.resolve("proof"))) {
            return Stream.concat(published, others).toList();
        }
    }

    private static List<MatchResult> found(Pattern pattern, String text) {
        List<MatchResult> all = pattern.matcher(text).results().toList();
        assertThat(all).as("what looks like %s", pattern).isNotEmpty();
        return all;
    }

    private static List<Row> rows() {
        return found(ROW, PAGE).stream()
                .map(row -> new Row(Integer.parseInt(row.group(1)), row.group(3)))
                .toList();
    }

    @Test
    void everyPointIsListedOnceInOrder() {
        List<Row> rows = rows();
        assertThat(found(ANY_ROW, PAGE)).as("rows of four cells").hasSameSizeAs(rows);
        assertThat(rows)
                .extracting(Row::number)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, POINTS).boxed().toList());
        long inPart = rows.stream().filter(Row::isInPart).count();
        long declined = rows.stream().filter(Row::isDeclined).count();
        assertThat(found(COUNTED, PAGE))
                .singleElement()
                .satisfies(counted -> assertThat(IntStream.rangeClosed(1, 4)
                                .mapToObj(counted::group)
                                .map(Long::valueOf))
                        .containsExactly((long) POINTS, POINTS - inPart - declined, inPart, declined));
    }

    @Test
    void everyMissingFeatureHasAReason() {
        Set<Integer> reasons = new TreeSet<>();
        for (MatchResult reason : found(REASON, PAGE)) {
            for (String number : reason.group(1).split(", ", -1)) {
                assertThat(reasons.add(Integer.valueOf(number)))
                        .as("the only reason for %s", number)
                        .isTrue();
            }
        }
        assertThat(rows().stream().filter(row -> row.isInPart() || row.isDeclined()))
                .extracting(Row::number)
                .containsExactlyElementsOf(reasons);
    }

    @Test
    void everyTestExists() throws IOException {
        Map<String, String> tests = classes("test");
        List<String> missing = new ArrayList<>();
        for (MatchResult named : found(NAMED_TEST, PAGE)) {
            String source = tests.get(named.group(1));
            String method = named.group(2);
            if (source == null
                    || (method != null
                            && TEST_METHOD
                                    .matcher(source)
                                    .results()
                                    .noneMatch(one -> one.group(1).equals(method)))) {
                missing.add(named.group());
            }
        }
        assertThat(missing).as("tests that do not exist").isEmpty();
    }

    @Test
    void everyScenarioExistsAndEachIsNamed() {
        assertThat(found(SCENARIOS, PAGE).stream()
                        .flatMap(named -> Stream.of(named.group(1).split(" ", -1)))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(
                        Scenario.all().stream().map(Scenario::name).toList());
    }

    @Test
    void everyDesignExists() {
        assertThat(found(DESIGN, PAGE))
                .extracting(MatchResult::group)
                .allSatisfy(
                        name -> assertThatCode(() -> Designs.named(name, 10)).doesNotThrowAnyException());
    }

    @Test
    void everyCommandAndOptionExists() throws IOException {
        String sources = String.join("\n", classes("main").values());
        List<String> missing = new ArrayList<>();
        for (MatchResult command : found(COMMAND, PAGE)) {
            boolean hasMore = List.of("lab", "set", "pause", "resume", "retry", "cancel", "flush")
                    .contains(command.group(1));
            for (String name : hasMore && command.group(2) != null
                    ? List.of(command.group(1), command.group(2))
                    : List.of(command.group(1))) {
                if (!sources.contains("name = \"" + name + "\"")) {
                    missing.add(command.group());
                }
            }
        }
        for (MatchResult option : found(OPTION, PAGE)) {
            if (!sources.contains("\"" + option.group() + "\"")) {
                missing.add(option.group());
            }
        }
        assertThat(missing).as("commands and options that do not exist").isEmpty();
    }

    @Test
    void everyClassAndMemberExists() throws IOException {
        Map<String, String> classes = classes("main");
        List<String> missing = new ArrayList<>();
        for (MatchResult named : found(MEMBER, PAGE)) {
            if (NAMED_TEST.matcher(named.group(1)).matches()) {
                continue;
            }
            String source = classes.get(named.group(1));
            String member = named.group(2);
            if (source == null
                    || (member != null
                            && !Pattern.compile("\\b" + member + "\\b")
                                    .matcher(source)
                                    .find())) {
                missing.add(named.group());
            }
        }
        assertThat(missing).as("classes and members that do not exist").isEmpty();
    }
}
