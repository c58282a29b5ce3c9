/** What the queue promises, as a program, and drawn programs that are compared with it. */
@NullMarked
package dev.pawl.specification;

import org.jspecify.annotations.NullMarked;
