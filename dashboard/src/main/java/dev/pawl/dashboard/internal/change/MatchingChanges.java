package dev.pawl.dashboard.internal.change;

import dev.pawl.JobQueue;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.dashboard.internal.look.Filters;
import dev.pawl.dashboard.internal.look.Payloads;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** What people do to many jobs: those that match a filter, and those with the same cause of failure. */
public final class MatchingChanges {
    /** Each takes transaction after transaction; more at once would only wait for each other. */
    private static final int AT_ONCE = 2;

    private final JobAdmin admin;
    private final Payloads payloads;
    private final Semaphore places = new Semaphore(AT_ONCE);

    private MatchingChanges(JobAdmin admin, Payloads payloads) {
        this.admin = admin;
        this.payloads = payloads;
    }

    /** Adds the changes. */
    public static void add(Changes changes, JobQueue queue, Payloads payloads) {
        MatchingChanges matching = new MatchingChanges(queue.admin(), payloads);
        changes.add("/jobs/change", matching::change);
        changes.add("/failures/retry", matching::retryGroup);
        changes.add("/failures/cancel", matching::cancelGroup);
    }

    /** {@return what the parameter {@code change} names, with the value that it needs} */
    public static JobChange parse(Call call) {
        String word = call.required("change");
        return switch (word) {
            case "retry" -> new JobChange.Retry();
            case "cancel" -> new JobChange.Cancel();
            case "delete" -> new JobChange.Delete();
            case "prioritize" -> new JobChange.Prioritize((int) number(call, "toPriority"));
            case "move" -> new JobChange.Move(call.required("toQueue"));
            case "reschedule" -> {
                Instant at = call.moment("toTime");
                if (at == null) {
                    throw new Refusal(400, "the parameter 'toTime' is missing");
                }
                yield new JobChange.Reschedule(at);
            }
            default ->
                throw new Refusal(
                        400,
                        "'" + word + "' is not a change: use retry, cancel, delete, prioritize, move or reschedule");
        };
    }

    private static long number(Call call, String name) {
        OptionalLong value = call.number(name);
        if (value.isEmpty() || value.getAsLong() != (int) value.getAsLong()) {
            throw new Refusal(400, "the parameter '" + name + "' is missing, or too large");
        }
        return value.getAsLong();
    }

    /** The number that people were shown must still be about right: what they did not see, they do not change. */
    private Done change(Call call) {
        JobFilter filter = Filters.of(call);
        payloads.requireSearchable(filter);
        JobChange change = parse(call);
        OptionalLong expected = call.number("expected");
        boolean knowsOfMore = call.number("atLeast").isPresent(); // was shown that there may be any number
        if (expected.isEmpty() && !knowsOfMore && Filters.parameters(filter).isEmpty()) {
            throw new Refusal(
                    400,
                    "that would change every job: say which with state, queue, kind, key, tag, text, from or until, or how"
                            + " many there are with expected=N");
        }
        return inTurn(() -> {
            if (expected.isPresent()) {
                long shown = Math.max(0, expected.getAsLong());
                long most = shown + Math.max(10, shown / 10);
                long matching = admin.countMatching(filter, change);
                if (matching > most) {
                    return Done.not(
                            409,
                            String.format(
                                    Locale.ROOT,
                                    "%,d jobs match now, many more than the %,d that you were shown; nothing was changed",
                                    matching,
                                    shown));
                }
            }
            ChangeResult result = admin.changeAll(filter, change, progress -> {});
            return Done.of(
                    String.format(
                            Locale.ROOT, "%,d job(s) changed: %s%s", result.changed(), word(change), left(result)),
                    Map.of("changed", result.changed(), "left", result.left()));
        });
    }

    private static String word(JobChange change) {
        return change.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    private static String left(ChangeResult result) {
        return result.left() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; %,d were left as they are: locked by somebody, or a live job has their unique key",
                        result.left());
    }

    private Done inTurn(Supplier<Done> work) {
        if (!places.tryAcquire()) {
            throw new Refusal(503, "changes of many jobs are under way already: wait until they are done");
        }
        try {
            return work.get();
        } finally {
            places.release();
        }
    }

    private Done retryGroup(Call call) {
        return changeGroup(call, new JobChange.Retry(), "are available now");
    }

    private Done cancelGroup(Call call) {
        return changeGroup(call, new JobChange.Cancel(), "are cancelled");
    }

    private Done changeGroup(Call call, JobChange change, String what) {
        String id = call.required("group");
        if (admin.failures(null, null).stream().noneMatch(group -> group.id().equals(id))) {
            throw new Refusal(404, "there is no group " + id + " of failures any more");
        }
        return inTurn(() -> told(what, admin.changeFailures(id, change, progress -> {})));
    }

    private static Done told(String what, ChangeResult result) {
        return Done.of(
                String.format(Locale.ROOT, "%,d job(s) %s", result.changed(), what)
                        + (result.left() == 0
                                ? ""
                                : String.format(Locale.ROOT, "; %,d have changed meanwhile", result.left())),
                Map.of("changed", result.changed(), "left", result.left()));
    }
}
