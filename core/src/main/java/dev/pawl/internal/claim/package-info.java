/** Claiming jobs, one class for each way. */
@NullMarked
package dev.pawl.internal.claim;

import org.jspecify.annotations.NullMarked;
