/** What people do to the queue. */
@NullMarked
package dev.pawl.dashboard.internal.change;

import org.jspecify.annotations.NullMarked;
