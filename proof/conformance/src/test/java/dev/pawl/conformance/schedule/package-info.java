/**
 * Runs a few workers, users and duties against a real database, one statement at a time, in an order that a seed chooses, and checks
 * whether some order of their operations explains the outcome of each job.
 */
@NullMarked
package dev.pawl.conformance.schedule;

import org.jspecify.annotations.NullMarked;
