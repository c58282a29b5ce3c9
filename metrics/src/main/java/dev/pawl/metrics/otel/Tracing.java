package dev.pawl.metrics.otel;

import dev.pawl.metrics.Names;
import dev.pawl.metrics.Names.Label;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The program's tracing. Its propagators, samplers and span processors may be custom code; their failures do not affect
 * jobs. Thread-safe.
 */
final class Tracing {
    private static final Logger LOG = LoggerFactory.getLogger(JobTraces.class);

    private final AtomicBoolean saidBroken = new AtomicBoolean();
    private final Tracer tracer;
    private final TextMapPropagator propagator;

    /**
     * A started span.
     *
     * @param span to be ended
     * @param context that contains it
     */
    record StartedSpan(Span span, Context context) {}

    Tracing(OpenTelemetry openTelemetry) {
        this.tracer = openTelemetry.getTracer(Names.SCOPE);
        this.propagator = openTelemetry.getPropagators().getTextMapPropagator();
    }

    TextMapPropagator propagator() {
        return propagator;
    }

    SpanBuilder builder(SpanKind of, String operation, String type, String queue, String kind) {
        return tracer.spanBuilder(operation + " " + queue)
                .setSpanKind(of)
                .setAttribute(Names.SYSTEM, Names.PAWL)
                .setAttribute(Names.OPERATION, operation)
                .setAttribute(Names.OPERATION_TYPE, type)
                .setAttribute(Label.QUEUE.otel(), queue)
                .setAttribute(Label.KIND.otel(), kind);
    }

    void failed(Span span, Throwable error) {
        quietly(() -> {
            span.recordException(error);
            span.setAttribute(Names.ERROR_TYPE, error.getClass().getName());
            span.setStatus(StatusCode.ERROR);
        });
    }

    void quietly(Runnable tracing) {
        try {
            tracing.run();
        } catch (RuntimeException | LinkageError broken) {
            sayBroken(broken);
        }
    }

    void sayBroken(Throwable broken) {
        if (!saidBroken.getAndSet(true)) {
            LOG.warn("tracing fails, so jobs are enqueued and run without traces; logged only once", broken);
        }
    }
}
