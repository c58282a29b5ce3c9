/** Data for monitoring: samples over time, and the election of the process that does a task for all. */
@NullMarked
package dev.pawl.internal.watch;

import org.jspecify.annotations.NullMarked;
