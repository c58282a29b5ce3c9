/** Lanes: jobs that are written once and claimed in ranges. See {@code docs/inside/lanes.md}. */
@NullMarked
package dev.pawl.internal.lane;

import org.jspecify.annotations.NullMarked;
