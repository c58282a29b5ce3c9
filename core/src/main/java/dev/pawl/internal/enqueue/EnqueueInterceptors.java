package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.JobRequest;
import java.util.List;

/** The interceptors of a queue as one. */
public final class EnqueueInterceptors {
    private EnqueueInterceptors() {}

    /** {@return one that asks all of them in turn, each what the one before has returned; for none, one that does nothing} */
    public static EnqueueInterceptor all(List<EnqueueInterceptor> interceptors) {
        EnqueueInterceptor all = request -> request;
        for (int i = 0; i < interceptors.size(); i++) {
            EnqueueInterceptor before = all;
            EnqueueInterceptor next = interceptors.get(i);
            all = i == 0 ? request -> ask(next, request) : request -> ask(next, before.intercept(request));
        }
        return all;
    }

    /** {@return the same for jobs that no program enqueues itself, so that nobody else looks at the size of their payloads} */
    public static EnqueueInterceptor fitting(EnqueueInterceptor interceptor, PayloadLimit payloads) {
        return request -> {
            JobRequest seen = interceptor.intercept(request);
            if (!seen.payload().equals(request.payload())) {
                payloads.require("kind '" + seen.kind() + "'", seen.payload());
            }
            return seen;
        };
    }

    private static JobRequest ask(EnqueueInterceptor interceptor, JobRequest request) {
        JobRequest seen = interceptor.intercept(request);
        Object returned = seen; // a program that is not checked for null may return it all the same
        if (returned == null) {
            throw new IllegalStateException(
                    "the interceptor " + interceptor.getClass().getName()
                            + " returned null for a job of kind '" + request.kind()
                            + "': return the request, or throw an exception to refuse it");
        }
        return seen;
    }
}
