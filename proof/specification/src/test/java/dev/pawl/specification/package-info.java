/** The queue's guarantees as a program, and random programs that are compared with it. */
@NullMarked
package dev.pawl.specification;

import org.jspecify.annotations.NullMarked;
