/** Runs that remote workers do. */
@NullMarked
package dev.pawl.internal.remote;

import org.jspecify.annotations.NullMarked;
