/** The rows of workers, and what they run. */
@NullMarked
package dev.pawl.internal.cluster;

import org.jspecify.annotations.NullMarked;
