/** Runs the formal model. */
@NullMarked
package dev.pawl.model;

import org.jspecify.annotations.NullMarked;
