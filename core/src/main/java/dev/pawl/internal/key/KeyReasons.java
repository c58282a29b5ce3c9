package dev.pawl.internal.key;

import dev.pawl.admin.WaitReason;
import dev.pawl.admin.WaitReason.Cause;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.feature.WaitingJob;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds the reasons for which a blocked job waits for its concurrency key. */
final class KeyReasons {
    private KeyReasons() {}

    /** {@return the reasons; none if the job is not blocked} */
    static List<WaitReason> of(WaitingJob waiting) throws SQLException {
        Job job = waiting.job();
        String key = job.key().orElse(null);
        if (key == null || job.state() != JobState.BLOCKED) {
            return List.of();
        }
        KeyState state = waiting.database()
                .autocommit(connection ->
                        KeyState.read(connection, waiting.database().dialect(), job.queue(), key, job.id()));
        List<WaitReason> reasons = new ArrayList<>();
        if (state.pause() != null) {
            reasons.add(WaitReason.ofOutage(Cause.KEY_OUTAGE, "its key", state.pause(), key));
        }
        if (waiting.due().isPresent()) {
            return reasons;
        }
        KeyRows.Terms terms = waiting.database()
                .autocommit(connection ->
                        new KeyRows(waiting.database().dialect()).terms(connection, job.queue(), List.of(key)));
        int most = state.pause() == null ? terms.most() : 1;
        int before = state.before().size();
        if (state.inFlight().size() >= most) {
            long first = state.inFlight().get(0);
            reasons.add(blocked("job " + first + " of its key runs before it" + others(before), first));
        } else if (before > 0) {
            long first = state.before().get(0);
            reasons.add(blocked("job " + first + " of its key comes before it" + others(before - 1), first));
        }
        if (state.nextStart() != null && terms.rate() != null) {
            reasons.add(new WaitReason(Cause.KEY_RATE, "the rate of its key is used up", state.nextStart(), key));
        }
        if (reasons.isEmpty()) {
            String text = "it is the next job of its key, which a worker of queue " + job.queue() + " has to release";
            reasons.add(new WaitReason(Cause.KEY_RELEASE, text, null, key));
        }
        return reasons;
    }

    private static WaitReason blocked(String text, long by) {
        return new WaitReason(Cause.KEY_BLOCKED, text, null, Long.toString(by));
    }

    private static String others(int before) {
        String many = before >= KeyState.MAX ? "at least " : "";
        return before == 0
                ? ""
                : String.format(Locale.ROOT, ", and %s%,d job%s more", many, before, before == 1 ? "" : "s");
    }
}
