/**
 * What the sources say of queues in databases, each shown by a run: surges, herds, batches that roll back, locks that
 * break. Small tables and statements of their own, beside Pawl.
 */
@NullMarked
package dev.pawl.lab.scenario;

import org.jspecify.annotations.NullMarked;
