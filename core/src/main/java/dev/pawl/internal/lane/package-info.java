/** Jobs that are written once and claimed by ranges: see {@code docs/inside/lanes.md}. */
@NullMarked
package dev.pawl.internal.lane;

import org.jspecify.annotations.NullMarked;
