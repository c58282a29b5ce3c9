/** How jobs are named in the log: one line for all to which the same has happened. */
@NullMarked
package dev.pawl.internal.log;

import org.jspecify.annotations.NullMarked;
