/** As much of JSON as the dashboard needs. */
@NullMarked
package dev.pawl.dashboard.internal.json;

import org.jspecify.annotations.NullMarked;
