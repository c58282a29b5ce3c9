package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Output that depends on the width of a terminal, on a moment, or on an address without a host. */
class WordsOnTerminalsTest {
    @AfterEach
    void forgetTheTerminal() {
        System.clearProperty("pawl.terminal");
    }

    @Test
    void progressBarsStayOnOneLine() {
        System.setProperty("pawl.terminal", "true");
        for (int columns : new int[] {20, 30, 50, 80, 200}) {
            StringWriter drawn = new StringWriter();
            try (ProgressBar bar =
                    new ProgressBar(new PrintWriter(drawn), "jobs of a long name", 9_000_000, false, columns)) {
                bar.set(9_000_000);
                bar.show(9_000_000);
            }
            assertThat(Arrays.stream(drawn.toString().split("[\r\n]")))
                    .as("%d columns", columns)
                    .anyMatch(line -> line.contains("100 %") || columns < 50)
                    .allMatch(line -> line.length() < columns);
        }
    }

    /** A listed element. */
    private record Row(int id, String when, String empty, int none, String text) {}

    @Test
    void tablesFitTheTerminalAndKeepNumbers() {
        List<Output.Column<Row>> columns = List.of(
                Output.Column.right("ID", Row::id),
                Output.Column.left("AVAILABLE AT", Row::when),
                Output.Column.left("FINISHED AT", Row::empty),
                Output.Column.right("RETRYING", Row::none),
                Output.Column.left("PAYLOAD", Row::text));
        List<Row> rows = List.of(
                new Row(123_456, "2026-11-23 11:30:01 +0000", "", 0, "x".repeat(60)),
                new Row(7, "2026-11-23 11:30:02 +0000", "", 0, "short"));
        assertThat(Table.lines(rows, columns, Integer.MAX_VALUE).get(1))
                .matches("123456  2026-11-23 11:30:01 \\+0000 +0  x{60}");
        assertThat(Table.lines(rows, columns, 50))
                .allMatch(line -> line.length() <= 50)
                .satisfiesExactly(
                        head -> assertThat(head).isEqualTo("    ID  AVAILABLE AT    PAYLOAD"),
                        line -> assertThat(line).matches("123456  11-23 11:30:01  x{23,25}…"),
                        line -> assertThat(line).isEqualTo("     7  11-23 11:30:02  short"));
        assertThat(Table.lines(rows, columns, 20))
                .as("moments are never cut")
                .anyMatch(line -> line.contains("11-23 11:30:02"));
        assertThat(Table.lines(rows, List.of(Output.Column.words("FOUND", Row::text)), 20))
                .as("nor sentences")
                .contains("x".repeat(60));
        assertThat(Table.lines(List.<Row>of(), columns, 20)).hasSize(1);
    }

    @Test
    void noSurrogatePairIsCut() {
        assertThat(Texts.truncated("ab😀cd", 4)).isEqualTo("ab…");
        assertThat(Texts.truncated("ab😀cd", 5)).isEqualTo("ab😀…");
        assertThat(Texts.truncated("ab😀cd", 6)).isEqualTo("ab😀cd");
        assertThat(Texts.cut("x".repeat(58) + "😀x")).isEqualTo("x".repeat(58) + "…");
    }

    @Test
    void namesAreNeverTruncatedAndSentencesAreWrapped() {
        List<Output.Column<Row>> columns = List.of(
                Output.Column.name("TOPIC", Row::when),
                Output.Column.left("BESIDES", Row::empty),
                Output.Column.words("FOUND", Row::text));
        String sentence = "2 job(s) of kind mail wait, and no live worker handles them";
        List<Row> rows = List.of(
                new Row(1, "queue of-a-long-name", "x".repeat(20), 0, sentence),
                new Row(2, "index pawl_job_ready", "", 0, "fine"));
        assertThat(Table.lines(rows, columns, 64))
                .containsExactly(
                        "TOPIC                 BESIDES           FOUND",
                        "queue of-a-long-name  xxxxxxxxxxxxxxx…  2 job(s) of kind mail",
                        "                                        wait, and no live worker",
                        "                                        handles them",
                        "index pawl_job_ready                    fine");
        List<Output.Column<Row>> two = List.of(columns.get(0), columns.get(2));
        assertThat(Table.lines(rows, two, 40))
                .containsExactly(
                        "TOPIC",
                        "queue of-a-long-name",
                        "    2 job(s) of kind mail wait, and no",
                        "    live worker handles them",
                        "index pawl_job_ready",
                        "    fine");
    }

    @Test
    void momentsHaveAnOffset() {
        assertThat(Texts.time(Instant.parse("2026-01-02T03:04:05Z")))
                .matches("2026-01-0\\d \\d\\d:\\d\\d:05 [+-]\\d{4}");
        assertThat(Texts.time(null)).isEmpty();
    }

    @Test
    void withoutAHostOnlyThisMachineIsAllowedByDefault() {
        assertThat(Addresses.listen("--listen", "8080").getAddress()).isEqualTo(InetAddress.getLoopbackAddress());
        assertThat(Addresses.listen("--listen", "8080", true).getAddress().isAnyLocalAddress())
                .isTrue();
        assertThat(Addresses.listen("--listen", "0.0.0.0:8080").getAddress().isAnyLocalAddress())
                .isTrue();
        assertThat(Addresses.listen("--listen", "[::1]:8080", true).getAddress().isLoopbackAddress())
                .isTrue();
    }
}
