/** Runs the formal models. */
@NullMarked
package dev.pawl.model;

import org.jspecify.annotations.NullMarked;
