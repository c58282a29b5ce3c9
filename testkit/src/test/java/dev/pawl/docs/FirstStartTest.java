package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code pawl} and {@code launcher/Build.java}: what they build, and what they say when they cannot. */
class FirstStartTest {
    @TempDir
    private Path folder;

    private Path checkout;
    private Path tools;
    private String path;

    /** What a build prints, and its exit code. */
    private record Run(int code, String output) {}

    @BeforeEach
    void checkout() throws IOException {
        checkout = Files.createDirectories(folder.resolve("checkout"));
        tools = Files.createDirectories(folder.resolve("bin"));
        path = String.join(File.pathSeparator, tools.toString(), "/usr/bin", "/bin");
        write("pom.xml", """
                <project>
                  <groupId>dev.pawl</groupId><artifactId>pawl-parent</artifactId><version>7</version>
                  <modules><module>lib</module><module>app</module></modules>
                  <properties><maven.compiler.release>17</maven.compiler.release></properties>
                </project>
                """);
        write("lib/pom.xml", "<project><artifactId>pawl</artifactId></project>");
        write("lib/src/main/java/lib/Answer.java", "package lib; public class Answer { public static int IS = 42; }");
        write("lib/src/main/resources/lib/answer.txt", "42");
        write("app/pom.xml", """
                <project><artifactId>pawl-cli</artifactId><dependencies>
                  <dependency><groupId>dev.pawl</groupId><artifactId>pawl</artifactId></dependency>
                </dependencies></project>
                """);
        write("app/src/main/java/app/Main.java", "package app; class Main { int answer = lib.Answer.IS; }");
        // A fake Maven. It finds no libraries, because these modules need none, and records its calls.
        maven("echo called >> '" + folder.resolve("calls") + "'\n"
                + "echo 'Downloaded from central: https://host/a/b.jar (2.5 MB at 1 MB/s)'\n"
                + "for file in $(sed -n 's/.*<echo file=\"\\([^\"]*\\)\".*/\\1/p' \"$6\"); do echo > \"$file\"; done");
    }

    private void write(String file, String text) throws IOException {
        Path written = checkout.resolve(file);
        Files.createDirectories(written.getParent());
        Files.writeString(written, text);
    }

    private void maven(String script) throws IOException {
        Path mvn = tools.resolve("mvn");
        Files.writeString(mvn, "#!/bin/sh\n" + script + "\n");
        assertThat(mvn.toFile().setExecutable(true)).isTrue();
    }

    private Run build(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dpawl.home=" + checkout,
                DocsTest.HOME.resolve("launcher/Build.java").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PATH", path);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), output);
    }

    @Test
    void aProgramIsBuiltOnceAndAfterAChangeOnlyWhatChanged() throws Exception {
        Run first = build("program", "pawl-cli");
        assertThat(first.code()).as(first.output()).isZero();
        assertThat(first.output())
                .contains("asking Maven", "compiling 2 files", "built in")
                .doesNotContain("\u001b", "\r");
        Path program = checkout.resolve("target/program/pawl-cli");
        assertThat(program).isDirectoryContaining("glob:**pawl-7.jar").isDirectoryContaining("glob:**pawl-cli-7.jar");
        try (ZipFile jar = new ZipFile(program.resolve("pawl-7.jar").toFile())) {
            assertThat(jar.stream().map(Object::toString))
                    .contains("lib/Answer.class", "lib/answer.txt", "META-INF/MANIFEST.MF");
        }

        Files.delete(checkout.resolve("app/src/main/java/app/Main.java"));
        write("app/src/main/java/app/Second.java", "package app; class Second {}");
        Run second = build("program", "pawl-cli");
        assertThat(second.code()).as(second.output()).isZero();
        assertThat(second.output()).contains("compiling 1 files");
        try (ZipFile jar = new ZipFile(program.resolve("pawl-cli-7.jar").toFile())) {
            assertThat(jar.getEntry("app/Main.class")).isNull();
        }
        assertThat(build("program", "pawl-cli").output()).doesNotContain("compiling");
        assertThat(Files.readAllLines(folder.resolve("calls"))).hasSize(1);
    }

    @Test
    void withoutMavenItSaysWhatToInstall() throws Exception {
        path = Files.createDirectories(folder.resolve("empty")).toString();
        Run run = build("program", "pawl-cli");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.output()).contains("install Maven 3.8 or newer").doesNotContain("\tat ");
    }

    @Test
    void withoutANetworkItSaysSoOnce() throws Exception {
        String cause = "Could not transfer artifact a:b:jar:1 from/to central (https://host): host: Unknown host";
        maven("echo '[ERROR] [ERROR] Some problems were encountered:'\necho '[ERROR] " + cause + "'\necho '[ERROR] "
                + cause + "'\nexit 1");
        Run run = build("program", "pawl-cli");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.output())
                .containsOnlyOnce(cause)
                .contains("cannot download", "settings.xml")
                .doesNotContain("\tat ");
    }

    @Test
    void anErrorInTheSourcesIsShown() throws Exception {
        write("app/src/main/java/app/Main.java", "package app; class Main { int answer = nothing; }");
        Run run = build("program", "pawl-cli");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.output()).contains("Main.java:1: error", "pawl-cli does not compile");
    }

    @Test
    void whatCannotBeInstalledIsRefusedWithAList() throws Exception {
        Run run = build("install", "pawl-nothing");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.output()).contains("'pawl-nothing' cannot be installed; these can: pawl, pawl-cli");
        assertThat(folder.resolve("calls")).doesNotExist();
    }

    /** Otherwise the script would not notice a change of a module, and would start an old program. */
    @Test
    void theScriptChecksEveryModuleOfItsPrograms() throws Exception {
        String script = read("pawl");
        assertThat(modules("cli", script, "modules=\\(([^)]*)\\)")).isEqualTo(needed("cli"));
        Set<String> lab = modules("lab", script, "artifact=pawl-lab modules\\+=\\(([^)]*)\\)");
        lab.addAll(needed("cli"));
        assertThat(lab).isEqualTo(needed("proof/lab"));
        Set<String> importers = modules("import", script, "artifact=pawl-importers modules\\+=\\(([^)]*)\\)");
        importers.addAll(needed("cli"));
        assertThat(importers).isEqualTo(needed("importers"));
    }

    /** The launcher does the work of the two plugins listed here, and would ignore any other plugin. */
    @Test
    void theLauncherKnowsThePluginsOfItsModules() throws Exception {
        for (String module : needed("proof/lab")) {
            String pom = read(module + "/pom.xml");
            String own = pom.contains("<profiles>") ? pom.substring(0, pom.indexOf("<profiles>")) : pom;
            assertThat(all(own, "<plugin>.*?<artifactId>([^<]+)<"))
                    .as(module)
                    .isSubsetOf("jte-maven-plugin", "maven-dependency-plugin");
        }
    }

    /** The first command of the README is what CI runs first. */
    @Test
    void ciRunsTheDemo() throws Exception {
        assertThat(read("README.md")).contains("\n./pawl demo ", "./pawl install");
        assertThat(read(".ci/run")).containsPattern("\n\\./pawl demo\\b");
    }

    private static Set<String> modules(String name, String script, String pattern) {
        Set<String> found = new TreeSet<>();
        for (String each : all(script, pattern)) {
            found.addAll(List.of(each.split(" ", -1)));
        }
        assertThat(found).as(name).isNotEmpty();
        return found;
    }

    /** {@return the folders of a module and of the modules that it needs} */
    private static Set<String> needed(String module) throws IOException {
        Set<String> needed = new TreeSet<>(Set.of(module));
        String pom = read(module + "/pom.xml");
        for (MatchResult each : matches(pom, "<dependency>(.*?)</dependency>")) {
            String dependency = each.group(1);
            if (dependency.contains("<groupId>dev.pawl<") && !dependency.contains("<scope>test<")) {
                needed.addAll(
                        needed(folder(all(dependency, "<artifactId>([^<]+)<").get(0))));
            }
        }
        return needed;
    }

    private static String folder(String artifact) throws IOException {
        for (String each : new HashSet<>(all(read("pom.xml"), "<module>([^<]+)</module>"))) {
            if (read(each + "/pom.xml").contains("\n  <artifactId>" + artifact + "<")) {
                return each;
            }
        }
        throw new AssertionError(artifact);
    }

    private static List<MatchResult> matches(String text, String pattern) {
        return Pattern.compile(pattern, Pattern.DOTALL).matcher(text).results().toList();
    }

    private static List<String> all(String text, String pattern) {
        Stream<MatchResult> found = matches(text, pattern).stream();
        return found.map(each -> each.group(1)).toList();
    }

    private static String read(String file) throws IOException {
        return Files.readString(DocsTest.HOME.resolve(file));
    }
}
