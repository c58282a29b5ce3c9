/**
 * Metrics and traces of jobs. This package needs neither Micrometer nor OpenTelemetry; {@code micrometer} and
 * {@code otel} each need only their own library.
 */
@NullMarked
package dev.pawl.metrics;

import org.jspecify.annotations.NullMarked;
