/** Limits on concurrency and on start rates, and their current use. */
@NullMarked
package dev.pawl.limit;

import org.jspecify.annotations.NullMarked;
