/** Real runs on real databases, and their metrics and traces. */
@NullMarked
package dev.pawl.metrics;

import org.jspecify.annotations.NullMarked;
