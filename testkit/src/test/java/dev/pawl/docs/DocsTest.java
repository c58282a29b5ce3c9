package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documentation matches the build: its programs, the messages that it quotes, and its links. */
class DocsTest {
    static final Path HOME = home();
    private static final Pattern PROGRAM = Pattern.compile("```(?:java|kotlin)\\R(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern MESSAGE = Pattern.compile("^\\| `([^`]+)`", Pattern.MULTILINE);

    private static Path home() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("README.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "not in a checkout");
        }
        return folder;
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(files(HOME.resolve("docs"), ".md"));
        for (String name : List.of(
                "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "RELEASING.md", "SECURITY.md")) {
            pages.add(HOME.resolve(name));
        }
        return pages;
    }

    private static List<Path> files(Path folder, String end) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(end)).toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(file + " cannot be read", e);
        }
    }

    /** Removes line breaks and indentation, which the formatter sets in the sources. */
    private static String dense(String java) {
        return java.replaceAll("\\s+", "");
    }

    @Test
    void everyProgramIsCompiled() throws IOException {
        List<String> sources = Stream.of(
                        "testkit/src/test/java/dev/pawl/docs",
                        "manager/src/test/java/dev/pawl/manager/docs",
                        "dashboard/src/test/java/dev/pawl/dashboard/docs",
                        "metrics/src/test/java/dev/pawl/metrics/docs",
                        "proof/conformance/src/test/java/dev/pawl/conformance/docs",
                        "spring/shared/src/test/java/dev/pawl/spring",
                        "examples")
                .flatMap(folder -> compiled(HOME.resolve(folder)))
                .map(file -> dense(read(file)))
                .toList();
        List<String> missing = new ArrayList<>();
        int blocks = 0;
        for (Path page : pages()) {
            for (Matcher block = PROGRAM.matcher(read(page)); block.find(); blocks++) {
                String java = dense(block.group(1));
                if (sources.stream().noneMatch(source -> source.contains(java))) {
                    missing.add(HOME.relativize(page) + ":\n" + block.group(1));
                }
            }
        }
        assertThat(missing).as("programs that no compiled source holds").isEmpty();
        assertThat(blocks).isPositive();
    }

    private static Stream<Path> compiled(Path folder) {
        try {
            return Stream.concat(files(folder, ".java").stream(), files(folder, ".kt").stream());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The messages are in the first column of the tables in troubleshooting.md; an ellipsis stands for a variable part. */
    @Test
    void everyExplainedMessageExists() throws IOException {
        StringBuilder literals = new StringBuilder();
        for (String module : List.of("core", "cli", "manager")) {
            for (Path file : files(HOME.resolve(module + "/src/main/java"), ".java")) {
                literals.append(read(file).replaceAll("\"\\s*\\+\\s*\"", ""));
            }
        }
        String all = literals.toString();
        List<String> missing = new ArrayList<>();
        Matcher message = MESSAGE.matcher(read(HOME.resolve("docs/reference/troubleshooting.md")));
        while (message.find()) {
            Stream.of(message.group(1).split("…", -1))
                    .map(String::strip)
                    .filter(part -> !all.contains(part))
                    .forEach(missing::add);
        }
        assertThat(message.reset().find()).isTrue();
        assertThat(missing).as("messages that the sources do not hold").isEmpty();
    }

    /** The index leads readers from their question to a page whose name they do not know. */
    @Test
    void everyPageIsInTheIndex() throws IOException {
        Path docs = HOME.resolve("docs");
        String index = read(docs.resolve("README.md"));
        assertThat(files(docs, ".md"))
                .map(page -> docs.relativize(page).toString())
                .filteredOn(page -> !page.equals("README.md"))
                .allSatisfy(page -> assertThat(index).contains("](" + page + ")"));
    }

    @Test
    void everyLinkLeadsToAFileAndItsHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (Matcher link = LINK.matcher(read(page)); link.find(); ) {
                String target = link.group(1);
                if (!target.matches("[a-z]+:.*") && !leadsSomewhere(page, target)) {
                    broken.add(HOME.relativize(page) + ": " + target);
                }
            }
        }
        assertThat(broken).as("links that lead nowhere").isEmpty();
    }

    private static boolean leadsSomewhere(Path page, String target) {
        int hash = target.indexOf('#');
        String name = hash < 0 ? target : target.substring(0, hash);
        Path file = name.isEmpty() ? page : page.resolveSibling(name);
        return Files.exists(file) && (hash < 0 || headings(read(file)).contains(target.substring(hash + 1)));
    }

    /** Returns the anchors that GitHub generates. */
    private static List<String> headings(String page) {
        return page.lines()
                .filter(line -> line.matches("#+ .*"))
                .map(line -> line.replaceFirst("#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toList());
    }
}
