/** The same as JSON. */
@NullMarked
package dev.pawl.dashboard.internal.api;

import org.jspecify.annotations.NullMarked;
