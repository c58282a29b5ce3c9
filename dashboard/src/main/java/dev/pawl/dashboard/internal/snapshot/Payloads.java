package dev.pawl.dashboard.internal.snapshot;

import dev.pawl.admin.JobFilter;
import dev.pawl.admin.JobLogLine;
import dev.pawl.api.Job;
import dev.pawl.dashboard.internal.web.Refusal;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The visible form of payloads: unchanged, or the result of a function. Thread-safe. */
public final class Payloads {
    private static final Logger LOG = LoggerFactory.getLogger(Payloads.class);

    /** Precedes the old payload, which runs to the end of the line: see {@link dev.pawl.admin.JobAdmin#edit}. */
    private static final String BEFORE = "payload, which was:";

    private final @Nullable Function<Job, String> view;

    /** @param view returns the visible text; null for unchanged payloads */
    public Payloads(@Nullable Function<Job, String> view) {
        this.view = view;
    }

    /** {@return whether payloads are shown unchanged; otherwise they can be neither changed nor searched} */
    public boolean areUnchanged() {
        return view == null;
    }

    /** {@return the visible text of a job's payload} */
    public String of(Job job) {
        Function<Job, String> function = view;
        if (function == null) {
            return job.payload();
        }
        try {
            return Objects.requireNonNull(function.apply(job), "the function has returned null");
        } catch (RuntimeException | StackOverflowError e) { // regular expressions on large texts fail like this
            LOG.warn("the payload of {} cannot be prepared for display", job, e);
            return "(not shown: hiding a part of it has failed)";
        }
    }

    /** {@return a line of a job's log; if payloads are hidden, without the previous payload that an edit records} */
    public JobLogLine line(JobLogLine line) {
        int at = areUnchanged() ? -1 : line.line().indexOf(BEFORE);
        return at < 0
                ? line
                : new JobLogLine(
                        line.attempt(),
                        line.loggedAt(),
                        line.line().substring(0, at + BEFORE.length()) + " (not shown)");
    }

    /** Refuses searches in hidden payloads, which would reveal their content. */
    public void requireSearchable(JobFilter filter) {
        if (!areUnchanged() && filter.text() != null) {
            throw new Refusal(403, "payloads are shown only in part here, so they cannot be searched here");
        }
    }
}
