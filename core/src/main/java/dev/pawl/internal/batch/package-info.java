/** Batches and workflows, whose counts are written in the transaction that finishes their jobs. */
@org.jspecify.annotations.NullMarked
package dev.pawl.internal.batch;
