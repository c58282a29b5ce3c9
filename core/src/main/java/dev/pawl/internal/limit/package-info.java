/** Limits in the database: what was set, which worker has which share, what is held back. */
@NullMarked
package dev.pawl.internal.limit;

import org.jspecify.annotations.NullMarked;
