package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first job of a process must not pay for one-time work of the process, because its lease and timeout are running already. */
@Timeout(120)
class FirstRunTest {
    private static final Pattern LOADED = Pattern.compile("\\[class,load\\] (\\S+) source: ");
    private static final Pattern INITIALIZED = Pattern.compile("Initializing '([^']+)'");
    private static final Pattern WATCHED =
            Pattern.compile("(dev\\.pawl|jdk\\.jfr|org\\.slf4j|tools\\.jackson|com\\.fasterxml)\\..*");
    /** Generated classes, and those of the test itself. */
    private static final Pattern EXCEPT = Pattern.compile(".*(\\$\\$Lambda|/0x|FakeStore|FirstRun|EngineFixture).*");

    @Test
    void noClassIsLoadedOrInitializedBetweenTheFirstClaimAndItsHandler() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xlog:class+load=info,class+init=info:stdout:tags",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FirstRun.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(child.waitFor()).isZero();
        int claim = indexOf(lines, FirstRun.CLAIM);
        int handler = indexOf(lines, FirstRun.HANDLER);
        assertThat(claim).isBetween(0, handler);
        assertThat(lines.subList(claim, handler).stream()
                        .map(FirstRunTest::className)
                        .filter(name -> WATCHED.matcher(name).matches()
                                && !EXCEPT.matcher(name).matches())
                        .distinct())
                .isEmpty();
    }

    private static int indexOf(List<String> lines, String mark) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(mark)) {
                return i;
            }
        }
        return -1;
    }

    private static String className(String line) {
        Matcher loaded = LOADED.matcher(line);
        Matcher initialized = INITIALIZED.matcher(line);
        return loaded.find()
                ? loaded.group(1)
                : initialized.find() ? initialized.group(1).replace('/', '.') : "";
    }
}
