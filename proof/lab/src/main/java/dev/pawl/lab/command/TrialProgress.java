package dev.pawl.lab.command;

import dev.pawl.lab.report.Formats;
import dev.pawl.lab.run.Lab;
import dev.pawl.lab.run.Trial;
import java.io.PrintWriter;
import java.util.Locale;

/** A progress bar on a terminal; otherwise a line per trial. */
final class TrialProgress implements Lab.Watcher, AutoCloseable {
    private static final int WIDTH = 24;
    private static final int LINE = 110;

    private final PrintWriter err;
    private final boolean terminal = Boolean.getBoolean("pawl.terminal");
    private final long started = System.nanoTime();
    private int already = -1;
    private boolean drawn;

    TrialProgress(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void doing(int done, int all, String what) {
        if (already < 0) {
            already = done;
        }
        if (terminal) {
            int filled = all == 0 ? WIDTH : WIDTH * done / all;
            String line = "[" + "#".repeat(filled) + ".".repeat(WIDTH - filled) + "] " + done + "/" + all
                    + left(done, all) + "  " + what;
            String cut = line.length() > LINE ? line.substring(0, LINE) : line;
            err.print("\r" + cut + " ".repeat(LINE - cut.length()));
            err.flush();
            drawn = true;
        } else if (what.startsWith("warm-up")) {
            err.println(what);
        }
    }

    private String left(int done, int all) {
        if (done <= already) {
            return "";
        }
        long seconds = (long) ((System.nanoTime() - started) / 1e9 / (done - already) * (all - done));
        return String.format(Locale.ROOT, ", %d:%02d left", seconds / 60, seconds % 60);
    }

    @Override
    public void done(int done, int all, Trial trial) {
        if (trial.failure() != null) {
            clear();
            err.println("failed: " + trial.cell().text() + ": " + trial.failure());
        } else if (!terminal) {
            err.println(done + "/" + all + " " + trial.cell().text() + ": " + result(trial));
        }
    }

    private static String result(Trial trial) {
        if (trial.drained() != null) {
            return Formats.number(trial.drained().jobsPerSecond()) + " jobs/s";
        }
        if (trial.arrivals() != null) {
            return "p50 " + Formats.number(trial.arrivals().start().p50()) + " ms";
        }
        if (trial.loaded() != null) {
            return Formats.number(trial.loaded().jobsPerSecond()) + " jobs/s in and out, "
                    + Formats.number(trial.loaded().atTheEnd()) + " at the end";
        }
        return Formats.number(trial.recoveryMillis()) + " ms";
    }

    private void clear() {
        if (drawn) {
            err.print("\r" + " ".repeat(LINE) + "\r");
        }
    }

    @Override
    public void close() {
        clear();
        err.flush();
    }
}
