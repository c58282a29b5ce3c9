/** Schedules of recurring jobs: their rows, and the transaction that turns a tick into a job. */
@NullMarked
package dev.pawl.internal.schedule;

import org.jspecify.annotations.NullMarked;
