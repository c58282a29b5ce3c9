/** Runs that a remote worker does. */
@NullMarked
package dev.pawl.internal.remote;

import org.jspecify.annotations.NullMarked;
