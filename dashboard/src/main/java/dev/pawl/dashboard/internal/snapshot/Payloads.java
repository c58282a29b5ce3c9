package dev.pawl.dashboard.internal.look;

import dev.pawl.Job;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.JobLogLine;
import dev.pawl.dashboard.internal.web.Refusal;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What people see of payloads: they as they are, or what a function of the program makes of them. Thread-safe. */
public final class Payloads {
    private static final Logger LOG = LoggerFactory.getLogger(Payloads.class);

    /** What comes after it, to the end of the line, is the payload: see {@link dev.pawl.admin.JobAdmin#edit}. */
    private static final String BEFORE = "payload, which was:";

    private final @Nullable Function<Job, String> view;

    /** @param view what to show; null for payloads as they are */
    public Payloads(@Nullable Function<Job, String> view) {
        this.view = view;
    }

    /** {@return whether they are shown as they are; otherwise nobody may change them or search in them} */
    public boolean areShown() {
        return view == null;
    }

    /** {@return what to show of a job's payload} */
    public String of(Job job) {
        Function<Job, String> function = view;
        if (function == null) {
            return job.payload();
        }
        try {
            return Objects.requireNonNull(function.apply(job), "the function has returned null");
        } catch (RuntimeException | StackOverflowError e) { // patterns on large texts end so
            LOG.warn("the payload of {} cannot be prepared for display", job, e);
            return "(not shown: hiding a part of it has failed)";
        }
    }

    /** {@return a line of a job's log, without what a payload was before somebody has changed it} */
    public JobLogLine line(JobLogLine line) {
        int at = areShown() ? -1 : line.line().indexOf(BEFORE);
        return at < 0
                ? line
                : new JobLogLine(
                        line.attempt(),
                        line.loggedAt(),
                        line.line().substring(0, at + BEFORE.length()) + " (not shown)");
    }

    /** Who may not see payloads may not find out what they hold either. */
    public void requireSearchable(JobFilter filter) {
        if (!areShown() && filter.text() != null) {
            throw new Refusal(403, "payloads are shown only in part here, so they cannot be searched here");
        }
    }
}
