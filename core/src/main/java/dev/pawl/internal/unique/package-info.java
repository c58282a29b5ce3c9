/** Unique keys, including those that are held for a time or in a scope. */
@NullMarked
package dev.pawl.internal.unique;

import org.jspecify.annotations.NullMarked;
