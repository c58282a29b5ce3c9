/**
 * Runs a few workers, people and duties against a real database, one statement at a time, in an order that a seed chooses,
 * and asks whether some order of what they did explains what became of each job.
 */
@NullMarked
package dev.pawl.conformance.schedule;

import org.jspecify.annotations.NullMarked;
