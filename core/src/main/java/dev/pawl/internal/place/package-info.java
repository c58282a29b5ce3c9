/** Places in which jobs are stored outside of the tables of rows, and how the kernel finds them. */
@NullMarked
package dev.pawl.internal.place;

import org.jspecify.annotations.NullMarked;
