/** Real runs on real databases, and what a registry and a collector see of them. */
@NullMarked
package dev.pawl.metrics;

import org.jspecify.annotations.NullMarked;
