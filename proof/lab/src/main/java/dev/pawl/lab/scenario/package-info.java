/**
 * Statements of the source documents about queues in databases, each tested by a run: surges, herds, batches that roll back, locks that
 * break. Uses small tables and statements of its own, beside Pawl.
 */
@NullMarked
package dev.pawl.lab.scenario;

import org.jspecify.annotations.NullMarked;
