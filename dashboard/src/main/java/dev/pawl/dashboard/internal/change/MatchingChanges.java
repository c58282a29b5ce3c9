package dev.pawl.dashboard.internal.change;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.dashboard.internal.snapshot.Filters;
import dev.pawl.dashboard.internal.snapshot.Payloads;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** Changes of many jobs: those that match a filter, and those with the same cause of failure. */
public final class MatchingChanges {
    /** Maximum number of concurrent changes of many jobs: each runs many transactions, and more would only block each other. */
    private static final int AT_ONCE = 2;

    private final Admin admin;
    private final Payloads payloads;
    private final Semaphore permits = new Semaphore(AT_ONCE);

    private MatchingChanges(Admin admin, Payloads payloads) {
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

    /** {@return the change that the parameter {@code change} names, with its value} */
    public static JobChange parse(Call call) {
        String word = call.required("change");
        return switch (word) {
            case "retry" -> new JobChange.Retry();
            case "cancel" -> new JobChange.Cancel();
            case "delete" -> new JobChange.Delete();
            case "erase" -> new JobChange.Erase();
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
                        "'" + word
                                + "' is not a change: use retry, cancel, delete, erase, prioritize, move or reschedule");
        };
    }

    private static long number(Call call, String name) {
        OptionalLong value = call.number(name);
        if (value.isEmpty() || value.getAsLong() != (int) value.getAsLong()) {
            throw new Refusal(400, "the parameter '" + name + "' is missing, or too large");
        }
        return value.getAsLong();
    }

    private ChangeResponse change(Call call) {
        JobFilter filter = Filters.of(call);
        payloads.requireSearchable(filter);
        JobChange change = parse(call);
        OptionalLong expected = call.number("expected");
        boolean knowsOfMore = call.number("atLeast").isPresent(); // the page has shown only a lower bound
        if (expected.isEmpty() && !knowsOfMore && Filters.parameters(filter).isEmpty()) {
            throw new Refusal(
                    400,
                    "that would change every job: say which with state, queue, kind, key, tag, text, from or until, or how"
                            + " many there are with expected=N");
        }
        LongSupplier matching =
                () -> admin.jobs().count(filter, change, Admin.NO_TIMEOUT).jobs();
        return withinCapacity(expected, matching, () -> {
            ChangeResult result = admin.jobs().changeAll(filter, change, progress -> {});
            return ChangeResponse.of(
                    String.format(
                            Locale.ROOT, "%,d job(s) changed: %s%s", result.changed(), word(change), left(result)),
                    Map.of("changed", result.changed(), "left", result.left()));
        });
    }

    static String word(JobChange change) {
        return change.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    private static String left(ChangeResult result) {
        return result.left() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; %,d were skipped: locked by another transaction, or a live job has their unique key",
                        result.left());
    }

    /**
     * Refuses the change if far more jobs match now than the user was shown.
     *
     * @param expected how many jobs the user was shown; empty for any number
     */
    private ChangeResponse withinCapacity(OptionalLong expected, LongSupplier matching, Supplier<ChangeResponse> work) {
        if (!permits.tryAcquire()) {
            throw new Refusal(503, "changes of many jobs are already in progress: wait until they are done");
        }
        try {
            if (expected.isPresent()) {
                long shown = Math.max(0, expected.getAsLong());
                long now = matching.getAsLong();
                if (now - shown > Math.max(10, shown / 10)) {
                    return ChangeResponse.not(
                            409,
                            String.format(
                                    Locale.ROOT,
                                    "%,d jobs match now, many more than the %,d that you were shown; nothing was changed",
                                    now,
                                    shown));
                }
            }
            return work.get();
        } finally {
            permits.release();
        }
    }

    private ChangeResponse retryGroup(Call call) {
        return changeGroup(
                call, new JobChange.Retry(), "are available now", group -> group.discardedJobs() + group.waitingJobs());
    }

    private ChangeResponse cancelGroup(Call call) {
        return changeGroup(call, new JobChange.Cancel(), "are cancelled", FailureGroup::waitingJobs);
    }

    private ChangeResponse changeGroup(Call call, JobChange change, String what, ToIntFunction<FailureGroup> jobs) {
        String id = call.required("group");
        FailureGroup group = admin.runs().failures(null, null, Admin.UNLIMITED).stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new Refusal(404, "there is no longer a group " + id + " of failures"));
        return withinCapacity(
                call.number("expected"),
                () -> jobs.applyAsInt(group),
                () -> response(what, admin.runs().changeFailures(id, change, progress -> {})));
    }

    private static ChangeResponse response(String what, ChangeResult result) {
        return ChangeResponse.of(
                String.format(Locale.ROOT, "%,d job(s) %s", result.changed(), what)
                        + (result.left() == 0
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        "; %,d skipped: changed by others, or a live job has the unique key",
                                        result.left())),
                Map.of("changed", result.changed(), "left", result.left()));
    }
}
