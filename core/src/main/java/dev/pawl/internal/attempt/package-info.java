/** Attempts that failed. */
@NullMarked
package dev.pawl.internal.attempt;

import org.jspecify.annotations.NullMarked;
