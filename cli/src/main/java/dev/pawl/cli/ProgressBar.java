package dev.pawl.cli;

import java.io.PrintWriter;
import java.util.Locale;

/**
 * A progress line on the terminal. Prints nothing without a terminal. The launcher reports whether there is one, because Java cannot detect
 * whether standard error is a terminal.
 */
final class ProgressBar implements AutoCloseable {
    private static final int WIDTH = 30;
    private static final int COLUMNS = Math.max(20, Integer.getInteger("pawl.columns", 80));
    private static final long REDRAW_NANOS = 100_000_000;

    private final PrintWriter err;
    private final String what;
    private final long total;
    private final boolean visible;
    private final int columns;
    private final long started = System.nanoTime();
    private long done;
    private long drawn;
    private boolean dirty;

    /**
     * @param total number of units that {@link #add} counts; 0 if unknown
     * @param quiet always print nothing
     */
    ProgressBar(PrintWriter err, String what, long total, boolean quiet) {
        this(err, what, total, quiet, COLUMNS);
    }

    ProgressBar(PrintWriter err, String what, long total, boolean quiet, int columns) {
        this.columns = columns;
        this.err = err instanceof EscapedWriter harmless ? harmless.terminal() : err;
        this.what = what;
        this.total = total;
        this.visible = !quiet && Boolean.getBoolean("pawl.terminal");
    }

    void add(long units) {
        done += units;
    }

    void set(long units) {
        done = units;
    }

    /** Draws the bar, at a limited rate. */
    void show(long count) {
        long now = System.nanoTime();
        boolean complete = total > 0 && done >= total;
        if (!visible || (now - drawn < REDRAW_NANOS && !complete)) {
            return;
        }
        drawn = now;
        dirty = true;
        double seconds = Math.max(0.001, (now - started) / 1e9);
        String rate = String.format(Locale.ROOT, "%,d %s, %,.0f/s", count, what, count / seconds);
        if (total <= 0) {
            draw(rate);
        } else {
            String text = String.format(Locale.ROOT, " %3d %%  %s", Math.min(100, 100 * done / total), rate);
            int width = Math.max(0, Math.min(WIDTH, columns - text.length() - 6));
            int filled = (int) Math.min(width, width * done / total);
            draw((width < 5 ? "" : "[" + "#".repeat(filled) + ".".repeat(width - filled) + "]") + text);
        }
        err.flush();
    }

    /** On one line, because a wrapped line cannot be overwritten. */
    private void draw(String line) {
        String cut = line.length() < columns ? line : line.substring(0, columns - 1);
        err.print("\r" + cut + " ".repeat(Math.max(0, Math.min(3, columns - 1 - cut.length()))));
    }

    @Override
    public void close() {
        if (dirty) {
            err.println();
        }
    }
}
