/** Ways to claim jobs, a class for each. */
@NullMarked
package dev.pawl.internal.claim;

import org.jspecify.annotations.NullMarked;
