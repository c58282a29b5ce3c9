/** Writing new jobs. */
@NullMarked
package dev.pawl.internal.enqueue;

import org.jspecify.annotations.NullMarked;
