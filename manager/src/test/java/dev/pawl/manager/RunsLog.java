package dev.pawl.manager;

import dev.pawl.api.JobRun;
import dev.pawl.servers.Delay;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A worker's own record of the start and end of its runs: lines of "begin|end job token nanoseconds". */
final class RunsLog implements AutoCloseable {
    private static final Pattern SECONDS = Pattern.compile("\"seconds\":([0-9.]+)");

    private final FileOutputStream out;

    RunsLog(String file) throws IOException {
        out = new FileOutputStream(file, true);
    }

    interface Work {
        void run() throws Exception;
    }

    void around(JobRun run, Work work) throws Exception {
        note("begin", run);
        try {
            work.run();
        } finally {
            note("end", run);
        }
    }

    private void note(String what, JobRun run) throws IOException {
        String line = what + " " + run.job().id() + " " + run.leaseToken() + " " + System.nanoTime() + "\n";
        out.write(line.getBytes(StandardCharsets.UTF_8)); // a single write call, so lines of threads do not mix
    }

    /** Sleeps for the time in the payload. */
    static void work(String payload) throws InterruptedException {
        Matcher seconds = SECONDS.matcher(payload);
        if (seconds.find()) {
            Delay.work((long) (Double.parseDouble(seconds.group(1)) * 1000));
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
