package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The parts of the site: what is in its menus, and what readers of each part can expect. */
class SiteTest {
    private static final int LONGEST_GUIDE = 800;

    /** Words for how Pawl works inside, which a user does not need. Access tokens, API tokens and bearer tokens are allowed. */
    private static final Pattern INSIDE = Pattern.compile(
            "(?<!access |api |bearer )\\b(lanes?|ranges?|fences?|fenced|tokens?|drain(?:s|ed)?|heads?)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern CODE = Pattern.compile("^```.*?^```|`[^`]*`", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern BLOCK = Pattern.compile("^```.*?^```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern TARGET = Pattern.compile("]\\([^)]*\\)");
    private static final Pattern MENU = Pattern.compile("\"link\": \"/([^\"]+)\"");

    private static String read(Path file) throws IOException {
        return Files.readString(DocsTest.HOME.resolve(file));
    }

    private static List<Path> pages(String part) throws IOException {
        Path docs = DocsTest.HOME.resolve("docs");
        try (Stream<Path> all = Files.list(docs.resolve(part))) {
            return all.filter(file -> file.toString().endsWith(".md")).sorted().toList();
        }
    }

    private static String name(Path page) {
        return DocsTest.HOME
                .resolve("docs")
                .relativize(page)
                .toString()
                .replace('\\', '/')
                .replace(".md", "");
    }

    /** The decisions are not checked, because their menu is generated from their files. */
    @Test
    void everyPageIsInTheMenuOfItsPart() throws IOException {
        List<String> menu = MENU.matcher(read(Path.of("site/navigation.json")))
                .results()
                .map(entry -> entry.group(1))
                .toList();
        List<String> pages = new ArrayList<>();
        for (String part : List.of("start", "guides", "reference", "inside")) {
            pages(part).forEach(page -> pages.add(name(page)));
        }
        assertThat(menu).containsExactlyInAnyOrderElementsOf(pages);
    }

    @Test
    void everyPageBelongsToAPart() throws IOException {
        try (Stream<Path> all = Files.walk(DocsTest.HOME.resolve("docs"))) {
            assertThat(all.filter(file -> file.toString().endsWith(".md"))
                            .map(SiteTest::name)
                            .filter(name -> !name.matches("README|(start|guides|reference|inside|decisions)/[^/]+")))
                    .isEmpty();
        }
    }

    @Test
    void aGuideIsShort() throws IOException {
        for (Path page : pages("guides")) {
            String prose = BLOCK.matcher(Files.readString(page)).replaceAll("");
            assertThat(prose.strip().split("\\s+", -1)).as(name(page)).hasSizeLessThanOrEqualTo(LONGEST_GUIDE);
        }
    }

    @Test
    void usersNeedNoWordsOfTheInside() throws IOException {
        List<String> found = new ArrayList<>();
        for (String part : List.of("start", "guides")) {
            for (Path page : pages(part)) {
                String prose = TARGET.matcher(
                                CODE.matcher(Files.readString(page)).replaceAll(""))
                        .replaceAll("]");
                INSIDE.matcher(prose)
                        .results()
                        .map(MatchResult::group)
                        .forEach(word -> found.add(name(page) + ": " + word));
            }
        }
        assertThat(found).isEmpty();
    }

    /** Each page in docs/start names a program in examples/, which the build runs. */
    @Test
    void everyFirstPageNamesItsProgram() throws IOException {
        for (Path page : pages("start")) {
            String text = Files.readString(page);
            assertThat(text).as(name(page)).contains("](../../examples/").contains("mvn -P examples verify");
        }
    }

    /** Regression test: the build of the site refused such a link. */
    @Test
    void noPageLinksToTheMachineOfItsReader() throws IOException {
        try (Stream<Path> all = Files.walk(DocsTest.HOME.resolve("docs"))) {
            for (Path page : all.filter(file -> file.toString().endsWith(".md")).toList()) {
                assertThat(CODE.matcher(Files.readString(page)).replaceAll(""))
                        .as(name(page))
                        .doesNotContain("](http://localhost", "<http://localhost");
            }
        }
    }

    @Test
    void theLockNamesNoRegistry() throws IOException {
        assertThat(read(Path.of("site/package-lock.json"))).doesNotContain("\"resolved\"");
    }
}
