/** Shared parts of the suite. */
@NullMarked
package dev.pawl.conformance;

import org.jspecify.annotations.NullMarked;
