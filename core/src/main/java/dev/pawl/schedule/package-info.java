/** Recurring jobs: when they are due, and what happens to ticks that nobody could keep. */
@NullMarked
package dev.pawl.schedule;

import org.jspecify.annotations.NullMarked;
