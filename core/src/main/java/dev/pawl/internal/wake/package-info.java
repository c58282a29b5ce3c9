/** How workers hear of new jobs before they poll. */
@NullMarked
package dev.pawl.internal.wake;

import org.jspecify.annotations.NullMarked;
