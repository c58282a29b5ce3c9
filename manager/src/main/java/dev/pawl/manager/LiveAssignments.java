package dev.pawl.manager;

import dev.pawl.JobRun;
import dev.pawl.Outcome;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What this manager has given away and not got back, by job. A call about a job counts only with its present token. */
final class LiveAssignments {
    private final Map<Long, Live> byJob = new ConcurrentHashMap<>();

    /** An assignment until it has ended. */
    static final class Live {
        final String token = UUID.randomUUID().toString();
        final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        private final JobRun run;
        private volatile long heardNanos = System.nanoTime();

        private Live(JobRun run) {
            this.run = run;
        }

        long heardNanos() {
            return heardNanos;
        }
    }

    /** The run failed on its worker. */
    static final class RunFailed extends Exception {
        private static final long serialVersionUID = 1L;

        RunFailed(String error) {
            super(error);
        }
    }

    Live begin(JobRun run) {
        Live live = new Live(run);
        byJob.put(run.job().id(), live);
        return live;
    }

    void end(JobRun run, Live live) {
        byJob.remove(run.job().id(), live);
    }

    private @Nullable Live find(long jobId, String token) {
        Live live = byJob.get(jobId);
        return live != null && Secret.sameText(live.token, token) ? live : null;
    }

    /** The calls of workers: {@code /jobs/ID/outcome}, {@code /renew}, {@code /progress}. */
    HttpEndpoint.Answer answer(String method, String path, byte[] body) throws Protocol.Violation {
        String[] parts = path.split("/", -1);
        if (parts.length != 4 || !parts[1].equals("jobs") || !parts[2].matches("[0-9]{1,18}")) {
            return HttpEndpoint.Answer.error(
                    404,
                    "there is no " + Protocol.cut(path, 100)
                            + ": call /jobs/ID/outcome, /jobs/ID/renew or /jobs/ID/progress");
        }
        if (!method.equals("POST")) {
            return HttpEndpoint.Answer.error(405, "use POST");
        }
        JsonNode node = Protocol.parse(body);
        Live live = find(Long.parseLong(parts[2]), Protocol.text(node, "token"));
        if (live == null) {
            return HttpEndpoint.Answer.error(
                    409, "this token is not valid (any more): stop, somebody else may run the job");
        }
        live.heardNanos = System.nanoTime();
        switch (parts[3]) {
            case "renew" -> {}
            case "progress" -> live.run.progress((int) Math.max(0, Math.min(100, Protocol.number(node, "percent"))));
            case "outcome" -> {
                if (!finish(live, node)) {
                    return HttpEndpoint.Answer.error(409, "the outcome was reported before");
                }
            }
            default -> {
                return HttpEndpoint.Answer.error(404, "call outcome, renew or progress");
            }
        }
        return new HttpEndpoint.Answer(204, null);
    }

    private static boolean finish(Live live, JsonNode node) throws Protocol.Violation {
        String failure = Protocol.failure(node);
        keepLog(live.run, node);
        return failure != null
                ? live.outcome.completeExceptionally(new RunFailed(failure))
                : live.outcome.complete(Protocol.outcome(node));
    }

    static void keepLog(JobRun run, JsonNode node) {
        if (node.path("log").isArray()) {
            node.path("log")
                    .valueStream()
                    .filter(JsonNode::isString)
                    .limit(1000)
                    .forEach(line -> run.log(line.stringValue()));
        }
    }
}
