package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.internal.words.OwnHeaders;
import dev.pawl.internal.words.OwnValues;
import dev.pawl.internal.words.ReservedHeaders;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Options of jobs that only the library can set: reserved headers, the batch, and the state in which a job is written. */
public final class OwnOptions {
    private OwnOptions() {}

    /** {@return a copy with one more header} */
    public static EnqueueOptions header(EnqueueOptions options, String name, String value) {
        Map<String, String> headers = new HashMap<>(options.headers());
        headers.put(name, value);
        return options.headers(new OwnHeaders(headers, values(options)));
    }

    /**
     * {@return a copy for a job of a batch}
     *
     * @param fromWithin whether a job of the batch adds the new job; only such jobs may add to a sealed batch
     */
    public static EnqueueOptions batch(EnqueueOptions options, long batch, boolean fromWithin) {
        return with(options, values(options).batch(batch, fromWithin));
    }

    /** {@return the batch of a job with these options; 0 for none} */
    public static long batch(EnqueueOptions options) {
        return values(options).batch();
    }

    /** {@return whether a job of the batch adds the job} */
    public static boolean isFromWithin(EnqueueOptions options) {
        return values(options).fromWithin();
    }

    /** {@return a copy with a unique key that the index of unique keys does not contain} */
    public static EnqueueOptions unindexedKey(EnqueueOptions options, @Nullable String key) {
        return with(options, values(options).unindexedKey(key));
    }

    /** {@return the unique key that the index of unique keys does not contain; null for none} */
    public static @Nullable String unindexedKey(EnqueueOptions options) {
        return values(options).unindexedKey();
    }

    /** {@return a copy of the job that is to be written in this state} */
    public static JobRequest written(JobRequest job, JobState state) {
        EnqueueOptions options = job.options();
        return new JobRequest(
                job.kind(), job.payload(), with(options, values(options).state(state.code())));
    }

    /** {@return the state in which a job is written} */
    public static JobState state(JobRequest job) {
        return JobState.ofCode(values(job.options()).state());
    }

    /** {@return the job as an interceptor has returned it, with the library's own options even if the interceptor created new options} */
    static JobRequest kept(JobRequest job, JobRequest seen) {
        OwnValues values = values(job.options());
        return values.equals(OwnValues.NONE) || !values(seen.options()).equals(OwnValues.NONE)
                ? seen
                : seen.options(with(seen.options(), values));
    }

    /** {@return a copy of stored headers without those that only the library sets} */
    public static Map<String, String> users(Map<String, String> stored) {
        Map<String, String> users = new HashMap<>(stored);
        users.keySet().removeIf(ReservedHeaders::isReserved);
        return users;
    }

    private static EnqueueOptions with(EnqueueOptions options, OwnValues values) {
        return options.headers(new OwnHeaders(options.headers(), values));
    }

    private static OwnValues values(EnqueueOptions options) {
        return OwnHeaders.values(options.headers());
    }
}
