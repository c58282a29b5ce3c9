/** Limits in the database: their settings, the shares of workers, and pauses. */
@NullMarked
package dev.pawl.internal.limit;

import org.jspecify.annotations.NullMarked;
