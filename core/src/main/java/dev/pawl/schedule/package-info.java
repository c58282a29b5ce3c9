/** Recurring jobs: when they are due, and what happens to missed ticks. */
@NullMarked
package dev.pawl.schedule;

import org.jspecify.annotations.NullMarked;
