/** Deletes jobs and other rows whose retention has expired. */
@NullMarked
package dev.pawl.internal.retention;

import org.jspecify.annotations.NullMarked;
