@NullMarked
package dev.pawl.dashboard.internal.snapshot;

import org.jspecify.annotations.NullMarked;
