package dev.pawl.specification.concurrent;

import java.util.List;

/** A guarantee that holds in every interleaving. */
@FunctionalInterface
interface Promise {
    /** {@return descriptions of the violations in a history; empty if there are none} */
    List<String> brokenBy(History history);
}
