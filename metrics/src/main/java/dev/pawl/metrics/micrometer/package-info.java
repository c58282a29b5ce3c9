/** Metrics for Micrometer registries. */
@NullMarked
package dev.pawl.metrics.micrometer;

import org.jspecify.annotations.NullMarked;
