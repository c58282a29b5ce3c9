/** Metrics into a registry of Micrometer. */
@NullMarked
package dev.pawl.metrics.micrometer;

import org.jspecify.annotations.NullMarked;
