package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The metadata for native images names what the library finds by name. No image is built. */
class NativeImageTest {
    private static final Path RESOURCES = Path.of("src/main/resources");
    private static final Path METADATA = RESOURCES.resolve("META-INF/native-image/dev.pawl/pawl");

    /** Calls that find classes or methods by name. */
    private static final Pattern REFLECTION = Pattern.compile(
            "Class\\.forName\\(|loadClass\\(|\\.get(Declared)?(Methods?|Fields?|Constructors?)\\(|newProxyInstance\\(|\\.find(Static|Virtual)\\(");

    private static JsonNode json(String file) throws IOException {
        return new ObjectMapper().readTree(METADATA.resolve(file).toFile());
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void everyResourceIsNamed() throws Exception {
        List<Pattern> patterns = new ArrayList<>();
        json("resource-config.json")
                .at("/resources/includes")
                .forEach(
                        each -> patterns.add(Pattern.compile(each.get("pattern").asText())));
        Set<String> unnamed = new TreeSet<>();
        for (Path file : files(RESOURCES)) {
            String name = RESOURCES.relativize(file).toString().replace('\\', '/');
            if (!file.startsWith(METADATA)
                    && patterns.stream().noneMatch(each -> each.matcher(name).matches())) {
                unnamed.add(name);
            }
        }
        assertThat(unnamed).isEmpty();
    }

    @Test
    void everyClassThatIsNamedExistsOrBelongsToALibrary() throws Exception {
        Set<String> named = new TreeSet<>();
        for (JsonNode type : json("reflect-config.json")) {
            String name = type.get("name").asText();
            named.add(name);
            if (name.startsWith("dev.pawl.")
                    || (name.startsWith("java.lang.Thread") && Runtime.version().feature() >= 21)) {
                Class<?> found = Class.forName(name, false, NativeImageTest.class.getClassLoader());
                for (JsonNode method : type.path("methods")) {
                    assertThat(found.getMethods())
                            .extracting(each -> each.getName())
                            .contains(method.get("name").asText());
                }
            } else if (!name.startsWith("java.") && !name.startsWith("jdk.")) {
                assertThat(type.at("/condition/typeReachable").asText()).isEqualTo(name);
            }
        }
        assertThat(named).contains("dev.pawl.internal.codec.DefaultCodec$Sample");
    }

    /** A new use of reflection needs a line in the metadata, or a reason here why it needs none. */
    @Test
    void theUsesOfReflectionAreKnown() throws Exception {
        Map<String, String> known = new TreeMap<>(Map.of(
                "codec/MemberPath.java", "fields of payloads, which an application registers",
                "internal/bean/DeclaredTypes.java", "constants of the application, which an image does not show",
                "internal/engine/FlightRecord.java", "jdk.jfr.Event",
                "internal/engine/RunnerThreads.java", "java.lang.Thread$Builder",
                "internal/engine/WarmUp.java", "loads classes early; logged and ignored if an image cannot",
                "internal/jdbc/PoolProxies.java", "getters of pools",
                "internal/jdbc/UnsupportedProxy.java", "a class of Spring, for which pawl-spring has metadata",
                "internal/jdbc/UselessConnections.java", "a connection of Tomcat's pool"));
        Set<String> users = new TreeSet<>();
        Path sources = Path.of("src/main/java/dev/pawl");
        for (Path file : files(sources)) {
            if (REFLECTION.matcher(Files.readString(file)).find()) {
                users.add(sources.relativize(file).toString().replace('\\', '/'));
            }
        }
        assertThat(users).isEqualTo(known.keySet());
    }
}
