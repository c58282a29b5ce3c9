/** Everything that users can change. */
@NullMarked
package dev.pawl.dashboard.internal.change;

import org.jspecify.annotations.NullMarked;
