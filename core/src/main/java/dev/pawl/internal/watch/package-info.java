/** What somebody who watches needs: samples over time, and duties that one process of all does. */
@NullMarked
package dev.pawl.internal.watch;

import org.jspecify.annotations.NullMarked;
