/** Drawn programs whose calls to the database fail, whose processes die, and whose server moves. */
@NullMarked
package dev.pawl.specification.faults;

import org.jspecify.annotations.NullMarked;
