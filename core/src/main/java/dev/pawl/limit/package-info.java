/** Limits on what runs at once and on how often it starts: what they say, and how they stand. */
@NullMarked
package dev.pawl.limit;

import org.jspecify.annotations.NullMarked;
