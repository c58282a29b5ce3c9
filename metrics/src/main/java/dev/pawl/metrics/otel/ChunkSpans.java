package dev.pawl.metrics.otel;

import dev.pawl.api.Chunk;
import dev.pawl.api.ChunkInterceptor;
import dev.pawl.api.Job;
import dev.pawl.metrics.Names;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Creates a span for each handler call for several jobs. The span is linked to the enqueue of each job, and the span of each job's attempt
 * is linked to the span of the call. Thread-safe.
 */
final class ChunkSpans implements ChunkInterceptor {
    private static final ContextKey<Attempt> ATTEMPT = ContextKey.named("pawl-attempt");
    private static final AttributeKey<String> JOB_ID = AttributeKey.stringKey(Names.JOB_ID);

    private final Tracing tracing;

    /**
     * The span of a job's attempt. The attempts of a chunk's jobs are nested on one thread.
     *
     * @param span of the attempt
     * @param outer the surrounding attempt, of another job of the chunk; null if there is none
     */
    private record Attempt(Span span, @Nullable Attempt outer) {}

    ChunkSpans(Tracing tracing) {
        this.tracing = tracing;
    }

    /** {@return the context with the span of an attempt, for calls within it} */
    static Context with(Context context, Span attempt) {
        return context.with(attempt)
                .with(ATTEMPT, new Attempt(attempt, Context.current().get(ATTEMPT)));
    }

    @Override
    @SuppressWarnings("try") // the scope only needs to be closed
    public void intercept(Chunk<?> chunk, Handling handler) throws Exception {
        Tracing.StartedSpan begun = begin(chunk);
        if (begun == null) {
            handler.proceed();
            return;
        }
        try (Scope scope = begun.context().makeCurrent()) {
            handler.proceed();
        } catch (Throwable error) {
            tracing.failed(begun.span(), error);
            throw error;
        } finally {
            tracing.quietly(begun.span()::end);
        }
    }

    /** {@return the started span; null if the program's tracing is broken} */
    private Tracing.@Nullable StartedSpan begin(Chunk<?> chunk) {
        try {
            Context before = Context.root();
            Job first = chunk.items().get(0).run().job();
            SpanBuilder builder = tracing.builder(
                            SpanKind.CONSUMER, Names.CHUNK, Names.PROCESS, first.queue(), first.kind())
                    .setParent(before)
                    .setAttribute(Names.CHUNK_SIZE, chunk.items().size());
            for (Chunk.Item<?> item : chunk.items()) {
                Job job = item.run().job();
                Context enqueued = tracing.propagator().extract(before, job.headers(), Headers.GETTER);
                builder.addLink( // adds no link if the job's headers hold no context
                        Span.fromContext(enqueued).getSpanContext(), Attributes.of(JOB_ID, Long.toString(job.id())));
            }
            Span span = builder.startSpan();
            for (Attempt each = Context.current().get(ATTEMPT); each != null; each = each.outer()) {
                each.span().addLink(span.getSpanContext());
            }
            return new Tracing.StartedSpan(span, before.with(span));
        } catch (RuntimeException | LinkageError broken) {
            tracing.sayBroken(broken);
            return null;
        }
    }
}
