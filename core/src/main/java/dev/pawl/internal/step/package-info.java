/** Steps: what jobs remember from one run to the next, and the signals that they wait for. */
@NullMarked
package dev.pawl.internal.step;

import org.jspecify.annotations.NullMarked;
