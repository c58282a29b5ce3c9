/** Random programs whose database calls fail, whose processes die, and whose server fails over. */
@NullMarked
package dev.pawl.specification.faults;

import org.jspecify.annotations.NullMarked;
