@NullMarked
package dev.pawl.dashboard.internal.watch;

import org.jspecify.annotations.NullMarked;
