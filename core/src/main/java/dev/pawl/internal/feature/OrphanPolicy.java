package dev.pawl.internal.feature;

/** What becomes of rows whose job is gone without them: one that is not kept after its completion is deleted without a look at its links. */
public sealed interface OrphanPolicy {
    /**
     * Retention deletes them once they are old enough.
     *
     * @param momentColumn tells when a row was written
     */
    record Sweep(String momentColumn) implements OrphanPolicy {}

    /**
     * Retention does not look for them.
     *
     * @param reason why not
     */
    record Ignore(String reason) implements OrphanPolicy {}
}
