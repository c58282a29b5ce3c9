/** Processes and servers killed at random while jobs run, and what must hold all the same. */
@NullMarked
package dev.pawl.conformance.chaos;

import org.jspecify.annotations.NullMarked;
