package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that the artifacts meet the requirements of repositories, and that every module is published. */
class PublishingTest {
    private static final Path HOME = home();
    private static final Pattern OURS = Pattern.compile("<groupId>dev\\.pawl</groupId>\\s*<artifactId>([^<]+)<");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    private static Path home() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("README.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "not in a checkout");
        }
        return folder;
    }

    private static String read(String file) throws Exception {
        return Files.readString(HOME.resolve(file));
    }

    /** {@return the pom of each published module by artifact, without the BOM, which a profile adds} */
    private static Map<String, String> published() throws Exception {
        Map<String, String> poms = new HashMap<>();
        for (String folder : folders()) {
            String pom = read(folder + "/pom.xml");
            poms.put(element("artifactId", withoutParent(pom)), pom);
        }
        return poms;
    }

    private static Set<String> folders() throws Exception {
        String parent = read("pom.xml");
        Set<String> folders = new TreeSet<>();
        Matcher module = MODULE.matcher(parent.substring(0, parent.indexOf("</modules>")));
        while (module.find()) {
            if (!read(module.group(1) + "/pom.xml").contains("<maven.deploy.skip>true<")) {
                folders.add(module.group(1));
            }
        }
        return folders;
    }

    private static String withoutParent(String pom) {
        return pom.substring(pom.indexOf("</parent>"));
    }

    private static String element(String name, String xml) {
        Matcher found = Pattern.compile("<" + name + ">([^<]+)</" + name + ">").matcher(xml);
        assertThat(found.find()).as(name).isTrue();
        return found.group(1);
    }

    /** Regression test: {@code -P release -Dquick} did not find the module of the test servers. */
    @Test
    void aReleaseBuildsAllThatItsModulesNeed() throws Exception {
        Map<String, String> published = published();
        Set<String> built = new TreeSet<>(published.keySet());
        String parent = read("pom.xml");
        String release = parent.substring(parent.indexOf("<id>release</id>"));
        Matcher module = MODULE.matcher(release.substring(0, release.indexOf("</modules>")));
        while (module.find()) {
            String pom = read(module.group(1) + "/pom.xml");
            built.add(element("artifactId", pom.contains("</parent>") ? withoutParent(pom) : pom));
        }
        published.forEach((name, pom) -> {
            Matcher needed = OURS.matcher(withoutParent(pom));
            while (needed.find()) {
                assertThat(built).as(name).contains(needed.group(1));
            }
        });
    }

    @Test
    void theListOfVersionsHasEveryArtifact() throws Exception {
        String bom = read("bom/pom.xml");
        Set<String> listed = new TreeSet<>();
        Matcher artifact = Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>\\$\\{project.version}<")
                .matcher(bom);
        while (artifact.find()) {
            listed.add(artifact.group(1));
        }
        assertThat(listed).isEqualTo(new TreeSet<>(published().keySet()));
        assertThat(element("version", bom)).isEqualTo(element("version", read("pom.xml")));
    }

    @Test
    void artifactsSayWhatTheyAre() throws Exception {
        List<String> modules = new ArrayList<>();
        for (Map.Entry<String, String> pom : published().entrySet()) {
            String own = withoutParent(pom.getValue());
            assertThat(element("name", own)).as(pom.getKey()).startsWith("Pawl");
            assertThat(element("description", own)).as(pom.getKey()).isNotBlank();
            modules.add(element("module.name", own));
        }
        // both starters have this name, because an application uses only one of them
        modules.remove("dev.pawl.spring.boot");
        assertThat(modules).doesNotHaveDuplicates().allMatch(name -> name.startsWith("dev.pawl"));
        for (String pom : List.of("pom.xml", "bom/pom.xml")) {
            assertThat(read(pom)).contains("<url>", "<licenses>", "<developers>", "<scm", "<connection>");
        }
    }

    /** Otherwise a jar would contain its build time, and builds could not be compared. */
    @Test
    void buildsCanBeRepeated() throws Exception {
        assertThat(element("project.build.outputTimestamp", read("pom.xml"))).matches("\\d{4}-\\d\\d-\\d\\dT00:00:00Z");
        Set<String> compared = new TreeSet<>(folders());
        compared.add("bom");
        Matcher modules = Pattern.compile("modules=\\$\\{1:-([^}]+)}").matcher(read(".ci/reproducible"));
        assertThat(modules.find()).isTrue();
        assertThat(Set.of(modules.group(1).split(",", -1))).isEqualTo(compared);
    }
}
