@NullMarked
package dev.pawl.dashboard.internal.look;

import org.jspecify.annotations.NullMarked;
