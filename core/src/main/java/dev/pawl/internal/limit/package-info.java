/** Limits in the database: their settings, the shares of workers, holds. */
@NullMarked
package dev.pawl.internal.limit;

import org.jspecify.annotations.NullMarked;
