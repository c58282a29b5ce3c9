package dev.pawl.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** The default codec on different class paths: it must need only the Jackson version that is present. */
class CodecClassPathTest {
    private static final String JACKSON_3 = "tools/jackson";
    private static final String JACKSON_2 = "fasterxml/jackson/core/jackson-databind";
    private static final String ANNOTATIONS = "jackson-annotations";

    @Test
    void jackson3IsTakenWhereItWorks() throws Exception {
        assertThat(run(List.of())).containsExactly("JacksonCodec", "same", "same");
    }

    @Test
    void jackson2IsTakenWhereItIsAlone() throws Exception {
        assertThat(run(List.of(JACKSON_3))).containsExactly("Jackson2Codec", "same", "same");
    }

    @Test
    void jackson2IsTakenWhereThePlatformPinsAnnotationsThatAreTooOldForJackson3() throws Exception {
        assertThat(run(List.of(ANNOTATIONS), older())).containsExactly("Jackson2Codec", "same", "same");
    }

    @Test
    void withoutAJacksonThatWorksTheErrorSaysWhy() throws Exception {
        List<String> result = run(List.of(ANNOTATIONS, JACKSON_2), older());
        assertThat(result.subList(0, 2)).containsExactly("StringsOnly", "same");
        assertThat(result.get(2))
                .contains("CodecProgram$Letter", "Jackson 3 lacks com.fasterxml.jackson.annotation", "Jackson 2 lacks");
    }

    @Test
    void withoutAnyJacksonStringsWorkAndTheErrorSaysWhatToAdd() throws Exception {
        List<String> result = run(List.of(JACKSON_2, JACKSON_3, ANNOTATIONS));
        assertThat(result.subList(0, 2)).containsExactly("StringsOnly", "same");
        assertThat(result.get(2)).contains("tools.jackson.core:jackson-databind", "JobQueueBuilder.codec");
    }

    private static Path older() {
        Path older = Path.of("target", "older", "jackson-annotations-2.21.jar");
        assertThat(older).as("copied by the build").exists();
        return older;
    }

    private static List<String> run(List<String> without, Path... more) throws Exception {
        List<URL> classPath = new ArrayList<>();
        for (Path each : more) {
            classPath.add(each.toUri().toURL());
        }
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            String slashes = entry.replace(File.separatorChar, '/');
            if (without.stream().noneMatch(slashes::contains) && Files.exists(Path.of(entry))) {
                classPath.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Callable<?> program = (Callable<?>) loader.loadClass(CodecProgram.class.getName())
                    .getConstructor()
                    .newInstance();
            return ((List<?>) program.call()).stream().map(String.class::cast).toList();
        }
    }
}
