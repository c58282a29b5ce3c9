package dev.pawl.specification.concurrent;

import java.util.List;

/** Something that holds whatever happens at once. */
@FunctionalInterface
interface Promise {
    /** {@return where a history breaks it, in words; nothing if it does not} */
    List<String> brokenBy(History history);
}
