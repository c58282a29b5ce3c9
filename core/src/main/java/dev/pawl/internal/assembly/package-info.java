/** Finds out which product is behind a pool: the one place that knows all of them. */
@NullMarked
package dev.pawl.internal.assembly;

import org.jspecify.annotations.NullMarked;
