/** Deletes what has outlived its retention. */
@NullMarked
package dev.pawl.internal.retention;

import org.jspecify.annotations.NullMarked;
