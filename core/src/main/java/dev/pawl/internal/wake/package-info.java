/** Notifications of new jobs, which reach workers before they poll. */
@NullMarked
package dev.pawl.internal.wake;

import org.jspecify.annotations.NullMarked;
