/** What is read from the queue, and how often. */
@NullMarked
package dev.pawl.dashboard.internal.look;

import org.jspecify.annotations.NullMarked;
