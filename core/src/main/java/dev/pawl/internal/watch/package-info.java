/** Data for monitoring: samples over time, and duties that one process performs for all. */
@NullMarked
package dev.pawl.internal.watch;

import org.jspecify.annotations.NullMarked;
