package dev.pawl.servers.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClassArchiveTest {
    static final class Program {
        public static void main(String[] arguments) {
            System.out.println("ran");
        }
    }

    private static String run(List<String> jvm, List<String> options, String classPath) throws Exception {
        List<String> command = new ArrayList<>(jvm);
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, Program.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said;
    }

    @Test
    void theFirstChildListsItsClassesAndLaterOnesShareThem() throws Exception {
        List<String> jvm = JavaProcess.quickJvm();
        ClassArchive archive = new ClassArchive(jvm, JavaProcess.classPath());
        assertThat(run(jvm, archive.options(), archive.classPath())).isEqualTo("ran\n");
        List<String> options = archive.options();
        assertThat(options).as("too few for an archive to be worth its while").isEmpty();
        for (int i = 0; i < 10; i++) {
            options = archive.options();
        }
        List<String> strict = new ArrayList<>(options);
        assertThat(strict).anyMatch(option -> option.startsWith("-XX:SharedArchiveFile="));
        strict.replaceAll(option -> option.equals("-Xshare:auto") ? "-Xshare:on" : option);
        strict.add("-Xlog:class+load");
        assertThat(run(jvm, strict, archive.classPath()))
                .contains("ran\n")
                .containsPattern("ClassArchiveTest.Program source: shared objects file");
    }

    @Test
    void withoutAListChildrenStartNormally() throws IOException {
        ClassArchive archive = new ClassArchive(JavaProcess.quickJvm(), JavaProcess.classPath());
        for (int i = 0; i < 10; i++) {
            List<String> options = archive.options();
            assertThat(options).hasSize(i == 0 ? 1 : 0);
        }
    }
}
