package dev.pawl.dashboard.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StackTraceTest {
    @Test
    void framesOfPawlAndReflectionAreFolded() {
        String trace = """
                java.lang.IllegalStateException: the printer has no paper
                \tat com.example.Printer.print(Printer.java:17)
                \tat java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)
                \tat java.base/java.lang.reflect.Method.invoke(Method.java:580)
                \tat app//com.example.Jobs.handle(Jobs.java:4)
                \tat dev.pawl.internal.engine.Runner.run(Runner.java:200)
                Caused by: java.io.IOException: empty
                \tat com.example.Tray.open(Tray.java:3)
                \tat dev.pawl.internal.engine.Runner.run(Runner.java:200)
                \tat dev.pawl.internal.engine.Runner.lambda$start$0(Runner.java:90)
                \tat java.base/java.lang.Thread.run(Thread.java:1583)""";
        List<StackTrace.Part> parts = StackTrace.of(trace);
        assertThat(parts).extracting(StackTrace.Part::isFolded).containsExactly(false, true, false, true);
        assertThat(parts).extracting(StackTrace.Part::frames).containsExactly(2, 2, 4, 3);
        assertThat(parts.get(2).text()).contains("Runner.java:200", "Caused by").startsWith("\tat app//com.example");
        assertThat(String.join("\n", parts.stream().map(StackTrace.Part::text).toList()))
                .isEqualTo(trace);
    }

    @Test
    void longLinesAreShown() {
        for (String line : List.of("a/".repeat(50_000), "at " + "a/".repeat(50_000) + "b.C.d(C.java:1)")) {
            assertThat(StackTrace.of(line)).containsExactly(new StackTrace.Part(line, 1, false));
        }
    }

    @Test
    void loadersAndModulesOfFramesAreIgnored() {
        for (String name : List.of("", "app//", "java.base/", "app/pawl@1.0-rc/")) {
            String frame = "\tat " + name + "dev.pawl.internal.engine.Runner$$Lambda/0x00007f.run(Runner.java:90)";
            assertThat(StackTrace.of(frame + "\n" + frame))
                    .as(name)
                    .singleElement()
                    .matches(StackTrace.Part::isFolded);
        }
    }

    @Test
    void textsWithoutFramesStay() {
        assertThat(StackTrace.of("exit code 7")).containsExactly(new StackTrace.Part("exit code 7", 1, false));
        assertThat(StackTrace.of("")).isEmpty();
    }
}
