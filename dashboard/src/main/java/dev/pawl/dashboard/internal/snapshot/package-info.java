/** Queries of the queue and their caching. */
@NullMarked
package dev.pawl.dashboard.internal.snapshot;

import org.jspecify.annotations.NullMarked;
