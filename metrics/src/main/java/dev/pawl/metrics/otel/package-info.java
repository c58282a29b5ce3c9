/** Traces and metrics with the OpenTelemetry API. */
@NullMarked
package dev.pawl.metrics.otel;

import org.jspecify.annotations.NullMarked;
