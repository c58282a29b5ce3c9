package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text that handlers and people have written into the database moves no cursor, and breaks no line of a table. */
class TerminalEscapesTest {
    private static final String REASON = "a\u001b[31mRED\nline2\u009b2J\u202egnp";
    private static final String SHOWN = "a\\u001b[31mRED line2\\u009b2J\\u202egnp";

    @TempDir
    private Path folder = Path.of("");

    private Program program = new Program("");

    @BeforeEach
    void createProgram() {
        program = Program.onFile(folder);
    }

    @Test
    void reasonsAreEscapedOnOneLine() {
        program.run("enqueue", "s", "1");
        program.run("pause", "kind", "s", "--for", "1h", "--reason", REASON);
        for (List<String> command : List.of(List.of("limits"), List.of("queues"), List.of("job", "1"))) {
            assertHarmless(program.run(command.toArray(String[]::new)).out());
            assertThat(program.run(command.toArray(String[]::new)).out().lines())
                    .as("%s", command)
                    .anyMatch(line -> line.contains(SHOWN));
        }
        assertThat(program.run("limits", "--json").out())
                .as("the same text for JSON readers")
                .contains("\"a\\u001B[31mRED\\nline2\\u009b2J\\u202egnp\"");
    }

    @Test
    void errorsKeepOnlyTheirLineBreaks() {
        program.run("enqueue", "e", "1", "--max-attempts", "1");
        program.run(
                "work",
                "--until-empty",
                "--handler",
                "e=exec:printf 'first\\033[2J\\nsecond\\rthird\\302\\233' >&2; printf 'a\\033[1m\\n'; exit 1");
        String job = program.run("job", "1").out();
        assertHarmless(job);
        assertThat(job).contains("first\\u001b[2J").contains("third\\u009b");
        for (String command : List.of("failures", "jobs")) {
            assertHarmless(program.run(command).out());
        }
        assertHarmless(program.run("job", "1", "--follow").out());
    }

    private static void assertHarmless(String printed) {
        assertThat(printed.replace(System.lineSeparator(), "").chars())
                .as("%s", printed)
                .noneMatch(c -> Character.isISOControl(c) || c == '\u202e');
    }
}
