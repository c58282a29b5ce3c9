package dev.pawl.internal.feature;

import dev.pawl.internal.jdbc.Dialect;
import java.util.function.Function;

/** What becomes of linked rows when people change a job that waits, or bring a finished one back. */
public sealed interface ChangePolicy {
    /**
     * They are not affected.
     *
     * @param reason why not
     */
    record Unaffected(String reason) implements ChangePolicy {}

    /**
     * The feature changes them.
     *
     * @param open makes what follows the jobs of one call
     */
    record Follow(Function<Dialect, RowChanges> open) implements ChangePolicy {}
}
