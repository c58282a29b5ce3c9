/** Traces and metrics by the API of OpenTelemetry. */
@NullMarked
package dev.pawl.metrics.otel;

import org.jspecify.annotations.NullMarked;
