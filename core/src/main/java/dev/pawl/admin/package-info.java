/** Inspection and operation of a queue, for operators and tools. */
@NullMarked
package dev.pawl.admin;

import org.jspecify.annotations.NullMarked;
