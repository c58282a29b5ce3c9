package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds the site as readers get it, from a copy without the output of other builds, if npm is on the PATH. The build itself fails if a
 * link between pages leads nowhere. The test is skipped if npm or Node.js 18 is missing. It is also skipped if npm cannot install the
 * packages or the build times out, unless the environment has {@code PAWL_SITE=required}.
 */
class SiteBuildTest {
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"(/[^\"#?]*)\"");
    private static final int LONGEST_MINUTES = 4;
    private static final int OLDEST_NODE = 18;
    private static final String TIMED_OUT = "timed out";
    private static final Pattern MENU = Pattern.compile("\"link\": \"/([^\"]+)\"");

    @TempDir
    private Path folder;

    @Test
    void theSiteIsComplete() throws Exception {
        assumeTrue(isInstalled("npm"), "there is no npm on the PATH: the site is not built");
        assumeTrue(isNodeNewEnough(), "there is no Node.js 18 or newer on the PATH: the site is not built");
        copy("docs");
        copy("site");
        Path site = folder.resolve("site");
        String installed = run(site, "npm", "ci", "--prefer-offline", "--fetch-retries=0", "--fetch-timeout=20000");
        assumeTrue(installed.isEmpty() || isRequired(), "npm cannot install what the site needs: " + installed);
        assertThat(installed).isEmpty();
        String wrong = run(site, "npm", "run", "build");
        assumeTrue(
                !wrong.startsWith(TIMED_OUT) || isRequired(), "this machine is too slow to build the site: " + wrong);
        assertThat(wrong).isEmpty();

        Path built = site.resolve(".vitepress/dist");
        assertThat(built.resolve("index.html")).content().contains("Pawl");
        MENU.matcher(Files.readString(site.resolve("navigation.json")))
                .results()
                .forEach(page ->
                        assertThat(built.resolve(page.group(1) + ".html")).isNotEmptyFile());
        assertThat(lost(built)).as("pages, pictures and files that pages name").isEmpty();
        try (Stream<Path> files = Files.walk(built)) {
            assertThat(files)
                    .as("the index of the search")
                    .anyMatch(file -> file.toString().contains("@localSearchIndex"));
        }
    }

    private static List<String> lost(Path built) throws IOException {
        List<Path> pages;
        try (Stream<Path> files = Files.walk(built)) {
            pages = files.filter(file -> file.toString().endsWith(".html")).toList();
        }
        List<String> lost = new ArrayList<>();
        for (Path page : pages) {
            for (MatchResult link :
                    LINK.matcher(Files.readString(page)).results().toList()) {
                String name = link.group(1).substring(1);
                Path file = built.resolve(name.isEmpty() || name.endsWith("/") ? name + "index.html" : name);
                if (!Files.isRegularFile(file) && !Files.isRegularFile(built.resolve(name + ".html"))) {
                    lost.add(built.relativize(page) + " -> /" + name);
                }
            }
        }
        return lost;
    }

    private static boolean isRequired() {
        return "required".equals(System.getenv("PAWL_SITE"));
    }

    private static boolean isInstalled(String program) {
        return Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    /** Checked before npm is called. With {@code engine-strict}, npm refuses an older Node.js, which would look like a failure. */
    private boolean isNodeNewEnough() throws IOException, InterruptedException {
        return isInstalled("node")
                && run(
                                folder,
                                "node",
                                "--eval",
                                "process.exit(parseInt(process.versions.node) < " + OLDEST_NODE + " ? 1 : 0)")
                        .isEmpty();
    }

    private void copy(String name) throws IOException {
        Path from = DocsTest.HOME.resolve(name);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String inside = from.relativize(file).toString();
                if (!inside.matches("(node_modules|\\.vitepress/(cache|dist))/.*")) {
                    Path to = folder.resolve(name).resolve(inside);
                    Files.createDirectories(Objects.requireNonNull(to.getParent()));
                    Files.copy(file, to);
                }
            }
        }
    }

    /** Npm gets the versions in the lock file from the registry that the user has chosen. */
    @Test
    void npmIsToldNoRegistryAndMustHaveTheVersionOfNodeThatTheSiteNeeds() throws Exception {
        Path site = DocsTest.HOME.resolve("site");
        assertThat(Files.readAllLines(site.resolve(".npmrc")))
                .contains("engine-strict=true")
                .noneMatch(line -> line.contains("registry=") || line.contains("//"));
        assertThat(Files.readString(site.resolve("package.json"))).contains("\"node\": \">=" + OLDEST_NODE + "\"");
    }

    /** {@return what the program printed, if it failed or timed out; otherwise nothing} */
    private String run(Path in, String... command) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(in.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean hasEnded = process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES);
        if (!hasEnded) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String printed = String.join(" ", command) + ": " + Files.readString(output);
        if (!hasEnded) {
            return TIMED_OUT + " after " + LONGEST_MINUTES + " minutes: " + printed;
        }
        return process.exitValue() == 0 ? "" : printed;
    }
}
