/** The lines that handlers write to the log of their job. */
@NullMarked
package dev.pawl.internal.joblog;

import org.jspecify.annotations.NullMarked;
