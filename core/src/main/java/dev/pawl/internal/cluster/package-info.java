/** The rows of workers and of who runs what. */
@NullMarked
package dev.pawl.internal.cluster;

import org.jspecify.annotations.NullMarked;
