package dev.pawl.cli;

import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** Reads lines, keeping at most a maximum number of characters of each in memory. Confined to one thread. */
final class BoundedLines {
    private static final int BUFFER = 8_192;

    private final Reader reader;
    private final int longest;
    private final char[] buffer = new char[BUFFER];
    private int next;
    private int end;
    private boolean cut;

    /** @param longest maximum number of characters kept of a line */
    BoundedLines(Reader reader, int longest) {
        this.reader = reader;
        this.longest = longest;
    }

    /** {@return the next line, possibly truncated; null at the end} */
    @Nullable
    String next() throws IOException {
        cut = false;
        StringBuilder line = new StringBuilder();
        boolean any = false;
        while (next < end || fill()) {
            any = true;
            int from = next;
            while (next < end && buffer[next] != '\n') {
                next++;
            }
            int kept = Math.min(next - from, longest - line.length());
            line.append(buffer, from, kept);
            cut |= kept < next - from;
            if (next < end) {
                next++;
                break;
            }
        }
        if (!any) {
            return null;
        }
        int last = line.length() - 1;
        if (!cut && last >= 0 && line.charAt(last) == '\r') {
            line.setLength(last);
        }
        return line.toString();
    }

    /** {@return whether the last line was truncated} */
    boolean isCut() {
        return cut;
    }

    private boolean fill() throws IOException {
        next = 0;
        end = Math.max(0, reader.read(buffer));
        return end > 0;
    }
}
