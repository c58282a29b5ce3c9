package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.internal.words.OwnHeaders;
import dev.pawl.internal.words.ReservedHeaders;
import java.util.HashMap;
import java.util.Map;

/** Options of jobs that only the library can set: headers that tie a job to other rows, and the state in which it is written. */
public final class OwnOptions {
    private OwnOptions() {}

    /** {@return a copy with one more header} */
    public static EnqueueOptions header(EnqueueOptions options, String name, String value) {
        Map<String, String> headers = new HashMap<>(options.headers());
        headers.put(name, value);
        return options.headers(new OwnHeaders(headers, OwnHeaders.state(options.headers())));
    }

    /** {@return the same job, which is written in a state} */
    public static JobRequest written(JobRequest job, JobState state) {
        EnqueueOptions options = job.options();
        return new JobRequest(
                job.kind(), job.payload(), options.headers(new OwnHeaders(options.headers(), state.code())));
    }

    /** {@return the state in which a job is written} */
    public static JobState state(JobRequest job) {
        return JobState.ofCode(OwnHeaders.state(job.options().headers()));
    }

    /** {@return a copy of stored headers without those that only the library sets} */
    public static Map<String, String> users(Map<String, String> stored) {
        Map<String, String> users = new HashMap<>(stored);
        users.keySet().removeIf(ReservedHeaders::isReserved);
        return users;
    }
}
