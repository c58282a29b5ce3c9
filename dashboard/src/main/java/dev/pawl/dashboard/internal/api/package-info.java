/** The JSON API. */
@NullMarked
package dev.pawl.dashboard.internal.api;

import org.jspecify.annotations.NullMarked;
