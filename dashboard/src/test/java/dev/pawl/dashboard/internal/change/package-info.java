@NullMarked
package dev.pawl.dashboard.internal.change;

import org.jspecify.annotations.NullMarked;
