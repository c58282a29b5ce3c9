@NullMarked
package dev.pawl.dashboard;

import org.jspecify.annotations.NullMarked;
