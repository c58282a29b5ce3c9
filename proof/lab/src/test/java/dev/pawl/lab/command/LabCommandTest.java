package dev.pawl.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class LabCommandTest {
    @TempDir
    private Path folder = Path.of(".");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int lab(String... arguments) {
        CommandLine lab = new CommandLine(new LabCommand());
        lab.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        lab.setExecutionExceptionHandler((error, command, parsed) -> {
            err.append(String.valueOf(error.getMessage()));
            return 2;
        });
        return lab.execute(arguments);
    }

    @Test
    void runsWriteAFileAndAPageAndCanBeReportedAgain() throws Exception {
        Path file = folder.resolve("run.json");
        int code = lab(
                "run",
                "--db",
                "sqlite",
                "--systems",
                "auto",
                "raw",
                "--jobs",
                "200",
                "--batch",
                "0,10",
                "--rounds",
                "3",
                "--warm-up",
                "10",
                "--out",
                file.toString());
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString()).contains("Jobs per second on sqlite", "Pawl auto, batch 10", "short:");
        assertThat(Files.readString(folder.resolve("run.html")))
                .startsWith("<!doctype html>")
                .contains("Pawl auto");
        assertThat(Files.readString(file)).contains("\"command\" : \"pawl run --db sqlite --systems auto raw");

        assertThat(lab("run", "--resume", file.toString()))
                .as("nothing is left to do")
                .isZero();
        assertThat(lab("report", "--text-only", file.toString(), file.toString()))
                .isZero();
    }

    @Test
    void adviceIsText() {
        assertThat(lab("advise", "--db", "sqlite", "--jobs", "300"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .contains("Strategy: ", "lanes", "Batch: ", "Index: ", "Latency: ", "Reasons for doubt");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "run --systems sidekiq                | 'sidekiq' is not a system that the lab can measure",
                "run --systems redis://u:p@h:1        | PAWL_LAB_REDIS_PASSWORD",
                "run --db oracle                      | 'oracle' is not a database of the lab",
                "run --db jdbc:h2:mem:x               | there is no driver for jdbc:h2:mem:x",
                "run --workers 0                      | --workers 0 is not valid: use 1 to 1000",
                "run --measure speed                  | --measure speed is not valid: use drain, latency, recovery, load",
                "run --with rain                      | use none, held-snapshot, delayed",
                "run --backlog 0                      | --backlog 0 is not valid",
                "run --load-seconds 0                 | --load-seconds 0 is not valid",
                "run --performance --scale 0          | --scale 0.0 is not valid: use 0.001 to 10",
                "run --db 1ms@sqlite                  | SQLite has no server that could be far away",
                "run --db 0ms@postgresql              | a delay of 0 ms is not valid: use 1ms@ to 1000ms@",
                "run --nodes jdbc:postgresql://a/x jdbc:postgresql://b/x | one cluster of MariaDB or MySQL",
                "run --nodes jdbc:mysql://a/x --db sqlite | --nodes names the databases: leave out --db",
                "run --rounds 0                       | --rounds 0 is not valid",
                "run --quick --study                  | mutually exclusive",
                "run --resume nothing.json            | nothing.json is not there",
                "report nothing.json                  | nothing.json is not there",
                "report                               | Missing required parameter",
                "advise --db jdbc:postgresql://127.0.0.1:1/x | cannot connect to postgresql://127.0.0.1:1/x: ",
                "advise --db sqlite --jobs 5          | --jobs 5 is not valid"
            })
    void badInputIsAnsweredWithWhatToDoAndWritesNothing(String command, String answer) throws Exception {
        int code = lab(command.strip().split(" +", -1));
        assertThat(code).isNotZero();
        assertThat(err.toString()).contains(answer);
        assertThat(Path.of("lab-results")).doesNotExist();
    }

    @Test
    void theProgramFindsAnInstalledLab() {
        assertThat(ServiceLoader.load(dev.pawl.cli.Plugin.class))
                .singleElement()
                .satisfies(plugin -> assertThat(plugin.command()).isInstanceOf(LabCommand.class));
    }
}
