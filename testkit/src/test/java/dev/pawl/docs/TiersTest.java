package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test runs in one of the tiers, and no test sleeps where it could await a signal. */
class TiersTest {
    private static final Pattern GROUP = Pattern.compile(
            "@FullTier\\(group = \"(\\w+)\"|\\ball = \"(PAWL_\\w+)\"|(?:isAll|isSet)\\(\"(\\w+)\"|\\bsize\\(\"(\\w+)\"");
    private static final Pattern TEST = Pattern.compile(
            "^\\s*@(Test|ParameterizedTest|TestFactory|RepeatedTest|TestTemplate)\\b", Pattern.MULTILINE);
    private static final Pattern DISABLED = Pattern.compile("@(Disabled\\w*|EnabledIf\\w*\\([^)]*\\))");
    private static final Pattern ABSTRACT =
            Pattern.compile("^(public |sealed )*(abstract (sealed )?class|interface) ", Pattern.MULTILINE);
    private static final Pattern SLEEP = Pattern.compile(
            "\\b(Thread|TimeUnit\\.[A-Z]+|[A-Z]+SECONDS|MINUTES)\\.sleep\\((?!Thread\\.java)|LockSupport\\.park");

    /** Test classes that run only on request, so their names do not end with {@code Test}. */
    private static final List<String> TOOLS = List.of("Screenshots.java");

    private record Source(Path path, String text) {
        String name() {
            return path.getFileName().toString();
        }

        Stream<String> groups(Pattern pattern) {
            return pattern.matcher(text).results().flatMap(Source::groups);
        }

        private static Stream<String> groups(MatchResult found) {
            return Stream.iterate(1, group -> group <= found.groupCount(), group -> group + 1)
                    .flatMap(group -> Stream.ofNullable(found.group(group)));
        }
    }

    private static List<Source> tests() throws IOException {
        List<Source> tests = new ArrayList<>();
        try (Stream<Path> all = Files.walk(DocsTest.HOME)) {
            for (Path file :
                    all.filter(file -> file.toString().endsWith(".java")).toList()) {
                String path = DocsTest.HOME.relativize(file).toString().replace('\\', '/');
                if (path.matches("(?!examples/|.*/target/|out/).*src/test/java/.*")) {
                    tests.add(new Source(file, Files.readString(file)));
                }
            }
        }
        return tests;
    }

    private static String read(String file) throws IOException {
        return Files.readString(DocsTest.HOME.resolve(file));
    }

    /** Only the author of an undocumented group would know how to run it. */
    @Test
    void eachGroupOfTheFullTierIsDocumented() throws IOException {
        Set<String> groups = tests().stream()
                .flatMap(source -> source.groups(GROUP))
                .filter(name -> name.startsWith("PAWL_"))
                .collect(Collectors.toCollection(TreeSet::new));
        String page = read("docs/inside/proof.md");
        assertThat(groups)
                .contains("PAWL_CONTRACTS", "PAWL_KILLS")
                .allSatisfy(group -> assertThat(page).contains("`" + group + "="));
    }

    /** Apart from the tiers, a test is left out only if a server that it needs is absent. */
    @Test
    void noTestIsDisabled() throws IOException {
        assertThat(tests().stream()
                        .flatMap(source -> source.groups(DISABLED))
                        .filter(condition ->
                                !condition.contains("PAWL_TEST_MYSQL_URL") && !condition.contains("pawl.clusters")))
                .isEmpty();
    }

    /** Surefire finds classes by their names. */
    @Test
    void eachClassWithTestsHasANameThatIsFound() throws IOException {
        assertThat(tests().stream()
                        .filter(source -> TEST.matcher(source.text()).find())
                        .filter(source -> !ABSTRACT.matcher(source.text()).find())
                        .map(Source::name)
                        .filter(name -> !name.endsWith("Test.java") && !TOOLS.contains(name)))
                .isEmpty();
    }

    /** The tests that the quick tier leaves out with Boot 3 run with Boot 4. */
    @Test
    void whatIsLeftOutWithBoot3RunsWithBoot4() throws IOException {
        String pom = read("pom.xml");
        String excluded = pom.substring(pom.indexOf("<boot3.full.tier>") + "<boot3.full.tier>".length());
        List<String> names = List.of(
                excluded.substring(0, excluded.indexOf('<')).replace("**/", "").split(","));
        assertThat(names)
                .allSatisfy(name -> assertThat(
                                DocsTest.HOME.resolve("spring/shared/src/test/java/dev/pawl/spring/boot/" + name))
                        .exists());
    }

    /** CI runs what people run. */
    @Test
    void ciRunsTheCommandOfTheReadme() throws IOException {
        assertThat(read("README.md")).contains("\nmvn verify ");
        assertThat(read(".ci/run")).containsPattern("\nmvn -B -ntp verify\\s*$");
    }

    @Test
    void testsSleepOnlyForTheReasonsThatDelayNames() throws IOException {
        assertThat(tests().stream()
                        .filter(source -> !source.name().equals("Delay.java"))
                        .filter(source -> SLEEP.matcher(source.text()).find())
                        .map(Source::name))
                .isEmpty();
    }
}
