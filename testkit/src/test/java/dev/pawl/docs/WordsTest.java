package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Counts words that hide who does what, in comments and pages. */
class WordsTest {
    private static final double MAX_OF_TEN_THOUSAND = 3;

    private static final Pattern LITERAL_OR_COMMENT = Pattern.compile(
            "\"\"\"[\\s\\S]*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\\n])++'|//[^\\n]*+|/\\*[\\s\\S]*?\\*/");
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z']*");
    private static final Pattern VAGUE = Pattern.compile(
            "\\b(somebody|nobody|whoever|whatever|so\\s+many|so\\s+long|meanwhile|lately)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final List<String> FOLDERS = List.of(
            "core",
            "docs",
            "cli",
            "dashboard",
            "importers",
            "manager",
            "metrics",
            "micronaut",
            "quarkus",
            "spring",
            "testkit",
            "proof/conformance",
            "proof/lab",
            "proof/servers",
            "proof/specification");

    @TestFactory
    Stream<DynamicTest> sentencesSayWhoDoesWhat() {
        return FOLDERS.stream().map(folder -> DynamicTest.dynamicTest(folder, () -> requireFewVagueWords(folder)));
    }

    private static void requireFewVagueWords(String folder) throws IOException {
        long words = 0;
        List<String> vague = new ArrayList<>();
        for (Path file : files(folder)) {
            String prose = prose(file);
            words += WORD.matcher(prose).results().count();
            Matcher found = VAGUE.matcher(prose);
            while (found.find()) {
                vague.add(DocsTest.HOME.relativize(file) + ": "
                        + prose.substring(Math.max(0, found.start() - 40), Math.min(prose.length(), found.end() + 40))
                                .replaceAll("\\s+", " "));
            }
        }
        assertThat(vague.size() * 10_000.0 / Math.max(1, words))
                .as("vague words of 10,000 in %s: %s", folder, vague)
                .isLessThanOrEqualTo(MAX_OF_TEN_THOUSAND);
    }

    private static List<Path> files(String folder) throws IOException {
        try (Stream<Path> all = Files.walk(DocsTest.HOME.resolve(folder))) {
            return all.filter(file -> file.toString().matches(".*\\.(java|kt|md)"))
                    .filter(file -> !file.toString().replace('\\', '/').matches(".*/(target|out)/.*"))
                    .toList();
        }
    }

    private static String prose(Path file) throws IOException {
        String text = Files.readString(file);
        if (file.toString().endsWith(".md")) {
            return text;
        }
        StringBuilder comments = new StringBuilder();
        LITERAL_OR_COMMENT
                .matcher(text)
                .results()
                .map(each -> each.group())
                .filter(each -> each.startsWith("/"))
                .forEach(each -> comments.append(each).append(' '));
        return comments.toString();
    }
}
