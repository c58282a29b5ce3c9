package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.JobRequest;
import java.util.List;

/** Combines the interceptors of a queue into one. */
public final class EnqueueInterceptors {
    private EnqueueInterceptors() {}

    /** {@return an interceptor that passes each request through all of them in order; the identity if there are none} */
    public static EnqueueInterceptor all(List<EnqueueInterceptor> interceptors) {
        EnqueueInterceptor all = request -> request;
        for (int i = 0; i < interceptors.size(); i++) {
            EnqueueInterceptor before = all;
            EnqueueInterceptor next = interceptors.get(i);
            all = i == 0 ? request -> intercept(next, request) : request -> intercept(next, before.intercept(request));
        }
        return all;
    }

    /** {@return an interceptor that also checks the size of changed payloads, for jobs that the library enqueues itself} */
    public static EnqueueInterceptor fitting(EnqueueInterceptor interceptor, PayloadLimit payloads) {
        return request -> {
            JobRequest seen = interceptor.intercept(request);
            if (!seen.payload().equals(request.payload())) {
                payloads.require("kind '" + seen.kind() + "'", seen.payload());
            }
            return seen;
        };
    }

    private static JobRequest intercept(EnqueueInterceptor interceptor, JobRequest request) {
        JobRequest seen = interceptor.intercept(request);
        Object returned = seen; // code without null checks may return null
        if (returned == null) {
            throw new IllegalStateException(
                    "the interceptor " + interceptor.getClass().getName()
                            + " returned null for a job of kind '" + request.kind()
                            + "': return the request, or throw an exception to refuse it");
        }
        return OwnOptions.kept(request, seen);
    }
}
