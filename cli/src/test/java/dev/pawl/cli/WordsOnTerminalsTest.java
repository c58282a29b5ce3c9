package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is computed from the width of a terminal, from a moment, or from an address without a host. */
class WordsOnTerminalsTest {
    @AfterEach
    void forgetTheTerminal() {
        System.clearProperty("pawl.terminal");
    }

    @Test
    void aBarStaysOnOneLineOfANarrowTerminal() {
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

    @Test
    void aMomentHasItsOffset() {
        assertThat(Texts.time(Instant.parse("2026-01-02T03:04:05Z")))
                .matches("2026-01-0\\d \\d\\d:\\d\\d:05 [+-]\\d{4}");
        assertThat(Texts.time(null)).isEmpty();
    }

    @Test
    void withoutAHostOnlyThisMachineMayCallUnlessOthersAreMeantTo() {
        assertThat(Addresses.listen("--listen", "8080").getAddress()).isEqualTo(InetAddress.getLoopbackAddress());
        assertThat(Addresses.listen("--listen", "8080", true).getAddress().isAnyLocalAddress())
                .isTrue();
        assertThat(Addresses.listen("--listen", "0.0.0.0:8080").getAddress().isAnyLocalAddress())
                .isTrue();
        assertThat(Addresses.listen("--listen", "[::1]:8080", true).getAddress().isLoopbackAddress())
                .isTrue();
    }
}
