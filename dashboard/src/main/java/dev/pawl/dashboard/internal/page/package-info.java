/** The pages. */
@NullMarked
package dev.pawl.dashboard.internal.page;

import org.jspecify.annotations.NullMarked;
