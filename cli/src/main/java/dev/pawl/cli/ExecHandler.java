package dev.pawl.cli;

import dev.pawl.api.Job;
import dev.pawl.api.JobHandler;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Runs a shell command for each job. The job's data are passed only through standard input and the environment. */
final class ExecHandler implements JobHandler.WithOutcome<String> {
    private static final int UNAVAILABLE = 69; // EX_UNAVAILABLE
    /** How long the kind is paused if a dependency of its command is unavailable. */
    private static final Duration OUTAGE = Duration.ofMinutes(1);

    private static final int TAIL = 4_000;
    /** Maximum length in characters of the last line of the errors, with which the text of a failure begins. */
    private static final int LINE = 500;

    /** Maximum characters read of a log line; the log keeps fewer. */
    private static final int LOG_LINE = 4_000;

    private final String command;

    ExecHandler(String command) {
        this.command = command;
    }

    @Override
    public Outcome handle(String payload, JobRun run) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(ProcessGroups.command(command));
        Map<String, String> environment = builder.environment();
        SecretVariables.removeFrom(environment); // the command must not see them
        HttpOptions.namedVariables().forEach(environment::remove);
        describe(environment, run.job());
        run.slot().ifPresent(slot -> environment.put("PAWL_SLOT", slot.value()));
        Process process = builder.start();
        boolean ended = false;
        try {
            ProcessGroups.guard(process);
            CompletableFuture<Void> log = CompletableFuture.runAsync(() -> lines(process, run), ExecHandler::start);
            CompletableFuture<String> errors =
                    CompletableFuture.supplyAsync(() -> tail(process.getErrorStream()), ExecHandler::start);
            start(() -> feed(process, payload)); // it may block until the command reads
            int exit = process.waitFor();
            log.get(); // not join(), which ignores the timeout's interrupt
            String last = errors.get();
            ended = true;
            return outcome(exit, last);
        } catch (InterruptedException e) {
            if (run.isCancelled()) {
                throw new HandlerFailure("its command was killed");
            }
            throw e;
        } finally {
            if (ended) {
                ProcessGroups.forget(process);
            } else {
                ProcessGroups.kill(process);
            }
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "pawl-exec-output");
        thread.setDaemon(true);
        thread.start();
    }

    private static void describe(Map<String, String> environment, Job job) {
        environment.put("PAWL_JOB_ID", Long.toString(job.id()));
        environment.put("PAWL_KIND", job.kind());
        environment.put("PAWL_QUEUE", job.queue());
        environment.put("PAWL_ATTEMPT", Integer.toString(job.attempt()));
        environment.put("PAWL_MAX_ATTEMPTS", Integer.toString(job.maxAttempts()));
        environment.put("PAWL_LEASE_TOKEN", Long.toString(job.leaseToken()));
        environment.put("PAWL_HEADERS", Texts.headers(job));
        job.key().ifPresent(key -> environment.put("PAWL_KEY", key));
        job.batch().ifPresent(batch -> environment.put("PAWL_BATCH", Long.toString(batch)));
    }

    /** A command that does not read its input is not an error. */
    private static void feed(Process process, String payload) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(payload.getBytes(StandardCharsets.UTF_8));
        } catch (IOException notRead) {
            // the exit code reports it
        }
    }

    private static void lines(Process process, JobRun run) {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            BoundedLines lines = new BoundedLines(out, LOG_LINE);
            for (String line = lines.next(); line != null; line = lines.next()) {
                run.log(line);
            }
        } catch (IOException ended) {
            run.log("(its output broke off: " + ended.getMessage() + ")");
        }
    }

    /** Keeps only the end of unlimited output. */
    private static String tail(InputStream in) {
        StringBuilder tail = new StringBuilder();
        byte[] buffer = new byte[8192];
        try (in) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                tail.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
                if (tail.length() > 2 * TAIL) {
                    tail.delete(0, tail.length() - TAIL);
                }
            }
        } catch (IOException ended) {
            tail.append("(broken off: ").append(ended.getMessage()).append(')');
        }
        return tail.length() <= TAIL ? tail.toString() : tail.substring(tail.length() - TAIL);
    }

    private static Outcome outcome(int exit, String errors) throws IOException {
        if (exit == 0) {
            return Outcome.completed();
        }
        String text = "exit " + exit + said(errors);
        if (exit == UNAVAILABLE) {
            return Outcome.unavailable(OUTAGE, text.lines().findFirst().orElse(text));
        }
        throw new HandlerFailure(text);
    }

    /** Puts the last line before the complete text, because that line tells apart the failures of programs that print stack traces. */
    private static String said(String errors) {
        List<String> lines = errors.strip().lines().toList();
        if (lines.size() <= 1) {
            return errors.isBlank() ? "" : ": " + errors.strip();
        }
        String last = lines.get(lines.size() - 1).strip();
        return ": " + (last.length() <= LINE ? last : last.substring(0, LINE)) + "\n" + errors.strip();
    }
}
