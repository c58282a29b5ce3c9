/** What a feature adds to the kernel, and how the kernel finds and calls it. */
@NullMarked
package dev.pawl.internal.feature;

import org.jspecify.annotations.NullMarked;
