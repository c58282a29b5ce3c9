/** Helpers for log lines: jobs with the same cause share a line. */
@NullMarked
package dev.pawl.internal.log;

import org.jspecify.annotations.NullMarked;
