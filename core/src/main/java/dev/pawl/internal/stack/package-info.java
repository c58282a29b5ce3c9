/** Stack traces of runs, shown on request. */
@NullMarked
package dev.pawl.internal.stack;

import org.jspecify.annotations.NullMarked;
