package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedLinesTest {
    private static List<String> lines(String text, int longest) throws IOException {
        BoundedLines lines = new BoundedLines(new StringReader(text), longest);
        List<String> all = new ArrayList<>();
        for (String line = lines.next(); line != null; line = lines.next()) {
            all.add(line + (lines.isCut() ? "…" : ""));
        }
        return all;
    }

    @Test
    void allLineEndsAreRecognised() throws IOException {
        for (String text : List.of("", "a", "a\n", "a\nb", "\n\n", "a\r\nb\r\n", "x".repeat(20_000) + "\n\nend")) {
            assertThat(lines(text, 100_000)).as(text).isEqualTo(text.lines().toList());
        }
    }

    @Test
    void longLinesAreTruncatedAndTheNextIsComplete() throws IOException {
        assertThat(lines("abcdef\nabcd\n" + "x".repeat(30_000) + "\nabc", 4))
                .containsExactly("abcd…", "abcd", "xxxx…", "abc");
    }

    /** Three thousand million characters do not fit in a string. */
    @Test
    void linesLargerThanTheHeapAreRead() throws IOException {
        long[] left = {3_000_000_000L};
        Reader endless = new Reader() {
            @Override
            public int read(char[] into, int from, int length) {
                int some = (int) Math.min(length, left[0]);
                Arrays.fill(into, from, from + some, 'x');
                left[0] -= some;
                return some == 0 ? -1 : some;
            }

            @Override
            public void close() {}
        };
        BoundedLines lines = new BoundedLines(endless, 1_000);
        assertThat(lines.next()).hasSize(1_000);
        assertThat(lines.isCut()).isTrue();
        assertThat(lines.next()).isNull();
    }
}
