/** Bounds of the number of waiting jobs in a queue. */
@NullMarked
package dev.pawl.internal.backlog;

import org.jspecify.annotations.NullMarked;
