/** Processes and servers are killed at random while jobs run, and all guarantees must hold. */
@NullMarked
package dev.pawl.conformance.chaos;

import org.jspecify.annotations.NullMarked;
