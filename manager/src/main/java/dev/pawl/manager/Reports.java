package dev.pawl.manager;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.RetryPolicy;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.log.Outage;
import dev.pawl.spi.RemoteRun;
import dev.pawl.spi.RemoteRun.Ending;
import dev.pawl.spi.RemoteRun.Renewal;
import dev.pawl.spi.RemoteRuns;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Handles workers' calls: {@code /jobs/ID/renew}, {@code /progress}, {@code /outcome}. Any manager can take them,
 * because all state is in the token and the database. The response is sent after the commit.
 */
final class Reports {
    private static final Logger LOG = LoggerFactory.getLogger(Reports.class);
    private static final String DOING = "answer calls about jobs";
    private static final int MAX_LINES = 1000;
    private static final int LONGEST_LINE = 2000;

    private final Secret secret;
    private final RemoteRuns runs;
    private final Function<String, @Nullable RetryPolicy> policies;
    private final LeaseTimes leaseTimes;
    private final Tally tally;
    private final Consumer<String> ended;
    private final Outage outage;
    private volatile @Nullable String realm;

    /**
     * @param secret signs the tokens
     * @param runs the runs
     * @param policies the retry policy of a kind; null for the default one
     * @param leaseTimes of the leases
     * @param tally counts the outcomes
     * @param ended called with the worker's name when one of its runs has ended
     * @param outage records which calls fail
     */
    Reports(
            Secret secret,
            RemoteRuns runs,
            Function<String, @Nullable RetryPolicy> policies,
            LeaseTimes leaseTimes,
            Tally tally,
            Consumer<String> ended,
            Outage outage) {
        this.secret = secret;
        this.runs = runs;
        this.policies = policies;
        this.leaseTimes = leaseTimes;
        this.tally = tally;
        this.ended = ended;
        this.outage = outage;
    }

    /** {@return which tables this manager works on} */
    String realm() {
        String known = realm;
        if (known == null) {
            known = runs.realm();
            realm = known;
        }
        return known;
    }

    HttpEndpoint.Answer answer(HttpEndpoint.Call call) throws Protocol.Violation {
        String[] parts = call.path().split("/", -1);
        if (parts.length != 4 || !parts[1].equals("jobs") || !parts[2].matches("[0-9]{1,18}")) {
            return HttpEndpoint.Answer.error(
                    404,
                    "there is no " + Protocol.cut(call.path(), 100)
                            + ": call /jobs/ID/outcome, /jobs/ID/renew or /jobs/ID/progress");
        }
        if (!call.method().equals("POST")) {
            return HttpEndpoint.Answer.error(405, "use POST");
        }
        JsonNode node = Protocol.parse(call.body());
        AssignmentToken token = AssignmentToken.read(secret, Long.parseLong(parts[2]), Protocol.text(node, "token"));
        if (token == null) {
            return stale("this token is not valid");
        }
        long sent = System.nanoTime();
        try {
            if (!token.realm().equals(realm())) {
                return HttpEndpoint.Answer.error(421, "this manager works on other tables: call another one");
            }
            HttpEndpoint.Answer answer = switch (parts[3]) {
                case "renew" -> renewed(token, null);
                case "progress" -> renewed(token, (int) Math.max(0, Math.min(100, Protocol.number(node, "percent"))));
                case "outcome" -> ended(token, node);
                default -> HttpEndpoint.Answer.error(404, "call outcome, renew or progress");
            };
            outage.worked(DOING, sent);
            return answer;
        } catch (DatabaseException e) {
            return failed(e, parts[2], parts[3].equals("outcome"));
        }
    }

    /** Refuses an outcome that the database rejects. Another manager could not store it either, so the worker reports a failure. */
    private HttpEndpoint.Answer failed(DatabaseException e, String job, boolean isOutcome) {
        if (e.isTransient()) {
            outage.failed(DOING, e);
            return HttpEndpoint.Answer.error(503, "the database does not respond: try again, or another manager");
        }
        String incident = Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), Character.MAX_RADIX);
        LOG.warn("incident {}: a call about job {} cannot be answered", incident, job, e);
        return isOutcome && Fault.of(e.sqlException()).isRefusal()
                ? HttpEndpoint.Answer.error(400, "the database refuses this outcome; incident " + incident)
                : HttpEndpoint.Answer.error(
                        503, "the database refused this: call another manager; incident " + incident);
    }

    private HttpEndpoint.Answer renewed(AssignmentToken token, @Nullable Integer percent) {
        Renewal renewal = runs.renew(token.run(), leaseTimes.lease(), token.longest(), percent);
        return switch (renewal) {
            case RENEWED ->
                new HttpEndpoint.Answer(200, Map.of("leaseSeconds", Protocol.seconds(leaseTimes.promise())));
            case CANCEL_REQUESTED -> stale("the job was cancelled");
            case OVERDUE -> stale("the run has taken too long");
            case LOST -> stale("the run has ended, or another worker has the job");
        };
    }

    private HttpEndpoint.Answer ended(AssignmentToken token, JsonNode node) throws Protocol.Violation {
        RemoteRun run = token.run();
        List<String> log = log(node);
        String failure = Protocol.failure(node);
        Ending ending =
                failure != null ? runs.fail(run, failure, log, policies) : runs.end(run, Protocol.outcome(node), log);
        tally.count(ending);
        ended.accept(run.worker());
        return ending == Ending.REFUSED
                ? stale("the run has ended, or another worker has the job; nothing was recorded")
                : new HttpEndpoint.Answer(204, null);
    }

    private static HttpEndpoint.Answer stale(String why) {
        return HttpEndpoint.Answer.error(409, why + ": stop");
    }

    static List<String> log(JsonNode node) {
        if (!node.path("log").isArray()) {
            return List.of();
        }
        return node.path("log")
                .valueStream()
                .filter(JsonNode::isString)
                .limit(MAX_LINES)
                .map(line -> Protocol.cut(line.stringValue(), LONGEST_LINE))
                .toList();
    }
}
