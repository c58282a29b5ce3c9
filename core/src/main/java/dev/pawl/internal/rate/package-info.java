/** The arithmetic of rates: how many starts are left, for limits and for each concurrency key. It sends no statements. */
@NullMarked
package dev.pawl.internal.rate;

import org.jspecify.annotations.NullMarked;
