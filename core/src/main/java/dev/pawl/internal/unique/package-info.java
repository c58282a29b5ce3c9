/** Unique keys that are held for a time or by a scope. */
@NullMarked
package dev.pawl.internal.unique;

import org.jspecify.annotations.NullMarked;
