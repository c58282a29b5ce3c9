package dev.pawl.conformance.contract;

import java.util.Set;

/**
 * An operation that users can do, and the roles of docs/how-to/roles.md that may do it.
 *
 * @param name {@code Class.method(types)} for methods of the API, or words
 * @param may which roles
 * @param call does it once
 */
record ApiCall(String name, Set<ApiCall.Role> may, ApiCall.Call call) {
    /** A role of a database. */
    enum Role {
        PRODUCER,
        /** With what the page grants to producers that need more. */
        PRODUCER_WITH_MORE,
        WORKER,
        READER
    }

    /** The operation. */
    @FunctionalInterface
    interface Call {
        /**
         * @param targets what it is done with
         * @throws Exception as the operation does
         */
        void on(ApiTargets targets) throws Exception;
    }
}
