package dev.pawl.manager;

import dev.pawl.api.JobHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A worker without a database: managers post jobs to it, and it answers with their outcomes, or with 202 and a later
 * call. A run begins when a manager has agreed and lasts as long as a manager renews it. If none renews it in time, it
 * is interrupted; handlers must react to interrupts, or a job may run twice at the same time. Closing the server
 * interrupts running handlers and puts their jobs back without counting an attempt. Thread-safe.
 */
public final class WorkerServer implements AutoCloseable {
    private final RemoteJobs jobs;
    private final HttpEndpoint endpoint;

    private WorkerServer(RemoteJobs jobs, HttpEndpoint endpoint) {
        this.jobs = jobs;
        this.endpoint = endpoint;
    }

    /**
     * @param secret shared with the managers
     * @return a builder
     */
    public static Builder with(Secret secret) {
        return new Builder(secret);
    }

    /** {@return the port on which it listens} */
    public int port() {
        return endpoint.port();
    }

    @Override
    public void close() {
        endpoint.close();
        jobs.close();
    }

    /** Handlers and options. Confined to one thread. */
    public static final class Builder {
        private final Secret secret;
        private final Map<String, JobHandler.WithOutcome<String>> handlers = new LinkedHashMap<>();
        private int capacity = 10;
        private Duration answerWithin = Duration.ofSeconds(1);
        private @Nullable SSLContext tls;

        private Builder(Secret secret) {
            this.secret = secret;
        }

        /**
         * @param kind of jobs
         * @param handler thread-safe; receives the payload as text. {@code run.transaction}, {@code run.result} and {@code run.steps} are
         *     not available here
         * @return this
         */
        public Builder handle(String kind, JobHandler.WithOutcome<String> handler) {
            handlers.put(kind, handler);
            return this;
        }

        /**
         * @param jobsAtOnce 1 to 10,000. Default 10
         * @return this
         */
        public Builder capacity(int jobsAtOnce) {
            if (jobsAtOnce < 1 || jobsAtOnce > 10_000) {
                throw new IllegalArgumentException("capacity " + jobsAtOnce + " is not valid: use 1 to 10000");
            }
            capacity = jobsAtOnce;
            return this;
        }

        /**
         * @param time how long to wait for a job to end and answer directly; after that, or after half of the
         *     manager's answer timeout, the answer is 202, and the worker calls back. Zero to 1 minute. Default 1 s
         * @return this
         */
        public Builder answerWithin(Duration time) {
            if (time.isNegative() || time.compareTo(Duration.ofMinutes(1)) > 0) {
                throw new IllegalArgumentException("answerWithin " + time + " is not valid: use 0 to 1 minute");
            }
            answerWithin = time;
            return this;
        }

        /**
         * @param context for TLS. Default: none
         * @return this
         */
        public Builder tls(SSLContext context) {
            tls = context;
            return this;
        }

        /**
         * @param address to listen on; port 0 takes a free one
         * @return the running worker
         * @throws IllegalArgumentException if there is no handler
         * @throws UncheckedIOException if it cannot listen
         */
        public WorkerServer start(InetSocketAddress address) {
            if (handlers.isEmpty()) {
                throw new IllegalArgumentException(
                        "a worker needs at least one handler: call handle(…) before start(…)");
            }
            RemoteJobs jobs = new RemoteJobs(handlers, capacity, answerWithin, secret);
            try {
                return new WorkerServer(jobs, new HttpEndpoint(address, tls, secret, jobs::answer));
            } catch (IOException e) {
                jobs.close();
                throw new UncheckedIOException("cannot listen on " + address + ": " + e.getMessage(), e);
            }
        }
    }
}
