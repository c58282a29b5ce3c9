package dev.pawl.internal.feature;

/**
 * What happens to rows whose job was deleted without them. A job that is not kept after its completion is deleted without looking for
 * linked rows.
 */
public sealed interface OrphanPolicy {
    /**
     * Retention deletes such rows once they are old enough.
     *
     * @param momentColumn tells when a row was written
     */
    record Sweep(String momentColumn) implements OrphanPolicy {}

    /**
     * Retention does not search for such rows.
     *
     * @param reason why not
     */
    record Ignore(String reason) implements OrphanPolicy {}
}
