package dev.pawl.metrics.otel;

import dev.pawl.api.JobRequest;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The context of a trace in the headers of a job. */
final class Headers {
    static final TextMapGetter<Map<String, String>> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Map<String, String> headers) {
            return headers.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> headers, String name) {
            if (headers == null) {
                return null;
            }
            String value = headers.get(name);
            return value == null ? headers.get(name.toLowerCase(Locale.ROOT)) : value;
        }
    };

    private Headers() {}

    /** {@return the job with the context in its headers, in place of an earlier context} */
    static JobRequest with(JobRequest request, TextMapPropagator propagator, Context context) {
        Map<String, String> headers = new HashMap<>(request.options().headers());
        propagator
                .fields()
                // removes the headers of the earlier context, such as a tracestate, which the new context may lack
                .forEach(headers::remove);
        propagator.inject(context, headers, (carrier, name, value) -> {
            if (carrier != null) {
                carrier.put(name, value);
            }
        });
        return request.options(request.options().headers(headers));
    }
}
