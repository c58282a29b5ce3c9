package dev.pawl.metrics.otel;

import dev.pawl.JobQueueBuilder;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.Chunk;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import dev.pawl.api.RunInterceptor;
import dev.pawl.api.RunSuspended;
import dev.pawl.metrics.Names;
import dev.pawl.metrics.Names.Label;
import dev.pawl.metrics.Names.Outcomes;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/**
 * A trace from the enqueue of a job to its runs, across processes and retries. The enqueue is a span of kind {@code PRODUCER}. Its context
 * is stored in the job's headers ({@code traceparent}), so the context is committed or rolled back with the job, also in the caller's
 * transaction. Each attempt is a span of kind {@code CONSUMER}, which begins when the handler is called: a job has no span while it waits,
 * even after a worker has claimed it. Thread-safe.
 *
 * <p>Jobs enqueued by a handler belong to the trace of its run.
 *
 * <p>A {@linkplain Chunk call for several jobs} has a trace of its own. The span of the call is current while the handler runs, and is
 * linked to the enqueue of each of the jobs. The span of each attempt stays in its job's trace, and is linked to the span of the call.
 */
public final class JobTraces {
    /** The relation between the span of a run and that of its enqueue. */
    public enum Join {
        /** A child: enqueue and runs are one trace. */
        PARENT,
        /** A link: each run is a separate trace, for jobs whose trace would otherwise last for days. */
        LINK
    }

    private final Tracing tracing;
    private final ChunkSpans chunks;
    private final Join join;

    /**
     * Creates traces in which runs are children of their enqueue.
     *
     * @param openTelemetry the program's, with a propagator such as {@code W3CTraceContextPropagator}
     */
    public JobTraces(OpenTelemetry openTelemetry) {
        this(openTelemetry, Join.PARENT);
    }

    /**
     * @param openTelemetry the program's, with a propagator such as {@code W3CTraceContextPropagator}
     * @param join how runs are joined to their enqueue
     */
    public JobTraces(OpenTelemetry openTelemetry, Join join) {
        this.tracing = new Tracing(openTelemetry);
        this.chunks = new ChunkSpans(tracing);
        this.join = join;
    }

    /**
     * Gives each enqueued job a span, and stores its context in the headers. If no trace is current, a job that already has a context in
     * its headers continues the trace of that context, and any other job begins a trace.
     *
     * @param queue before it is opened
     * @return the same
     */
    public JobQueueBuilder trace(JobQueueBuilder queue) {
        return queue.interceptEnqueue(this::enqueued);
    }

    /**
     * Gives each attempt of a job a span, which is current while the handler runs, and each call for several jobs one
     * of its own.
     *
     * @param worker before it is started; add interceptors that should run within the span afterwards
     * @return the same
     */
    public WorkerBuilder trace(WorkerBuilder worker) {
        return worker.intercept(this::ran).interceptChunk(chunks);
    }

    private JobRequest enqueued(JobRequest request) {
        try {
            return traced(request);
        } catch (RuntimeException | LinkageError broken) {
            tracing.sayBroken(broken);
            return request;
        }
    }

    private JobRequest traced(JobRequest request) {
        Context before = Context.current();
        if (!Span.fromContext(before).getSpanContext().isValid()) {
            before = tracing.propagator().extract(before, request.options().headers(), Headers.GETTER);
        }
        String queue = request.options().queue();
        Span span = tracing.builder(SpanKind.PRODUCER, Names.ENQUEUE, Names.CREATE, queue, request.kind())
                .setParent(before)
                .startSpan();
        try {
            return Headers.with(request, tracing.propagator(), before.with(span));
        } catch (
                RuntimeException
                        noRoom) { // no space in the headers, perhaps because of baggage: the job matters more than its
            // trace
            tracing.failed(span, noRoom);
            return request;
        } finally {
            tracing.quietly(span::end);
        }
    }

    @SuppressWarnings("try") // the scope only needs to be closed
    private Outcome ran(JobRun run, RunInterceptor.Handling handler) throws Exception {
        Tracing.StartedSpan begun = begin(run.job());
        if (begun == null) {
            return handler.proceed();
        }
        Span span = begun.span();
        try (Scope scope = begun.context().makeCurrent()) {
            Outcome outcome = handler.proceed();
            tracing.quietly(() -> ended(span, outcome));
            return outcome;
        } catch (RunSuspended waits) { // not a failure: the run continues later
            tracing.quietly(() -> span.setAttribute(Label.OUTCOME.otel(), Outcomes.SNOOZED.word()));
            throw waits;
        } catch (Throwable error) {
            tracing.quietly(() -> span.setAttribute(Label.OUTCOME.otel(), Outcomes.FAILED.word()));
            tracing.failed(span, error);
            throw error;
        } finally {
            tracing.quietly(span::end);
        }
    }

    /** {@return the started span; null if the program's tracing is broken, and the job runs without a trace} */
    private Tracing.@Nullable StartedSpan begin(Job job) {
        try {
            Context before = Context.root();
            Context enqueued = tracing.propagator().extract(before, job.headers(), Headers.GETTER);
            SpanBuilder builder = tracing.builder(
                            SpanKind.CONSUMER, Names.PROCESS, Names.PROCESS, job.queue(), job.kind())
                    .setAttribute(Names.JOB_ID, Long.toString(job.id()))
                    .setAttribute(Names.ATTEMPT, job.attempt())
                    .setAttribute(Names.MAX_ATTEMPTS, job.maxAttempts());
            if (join == Join.PARENT) {
                builder.setParent(enqueued);
            } else {
                builder.setParent(before).addLink(Span.fromContext(enqueued).getSpanContext());
            }
            Span span = builder.startSpan();
            return new Tracing.StartedSpan(span, ChunkSpans.with(join == Join.PARENT ? enqueued : before, span));
        } catch (RuntimeException | LinkageError broken) {
            tracing.sayBroken(broken);
            return null;
        }
    }

    private static void ended(Span span, Outcome outcome) {
        span.setAttribute(Label.OUTCOME.otel(), Outcomes.of(outcome).word());
        if (outcome instanceof Outcome.RetryAfter retry) {
            span.setStatus(StatusCode.ERROR, retry.reason());
        } else if (outcome instanceof Outcome.Discard discard) {
            span.setStatus(StatusCode.ERROR, discard.reason());
        }
    }
}
