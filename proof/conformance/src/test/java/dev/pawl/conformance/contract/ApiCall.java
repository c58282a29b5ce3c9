package dev.pawl.conformance.contract;

import java.util.Set;

/**
 * A public operation, with the roles of docs/reference/roles.md that may call it.
 *
 * @param name {@code Class.method(types)} for methods of the API, or a description
 * @param may the roles that may call it
 * @param call calls it once
 */
record ApiCall(String name, Set<ApiCall.Role> may, ApiCall.Call call) {
    /** A role of a database. */
    enum Role {
        PRODUCER,
        /** With the additional grants that the page lists for producers. */
        PRODUCER_WITH_MORE,
        WORKER,
        READER
    }

    /** The operation. */
    @FunctionalInterface
    interface Call {
        /**
         * @param targets the objects to call it with
         * @throws Exception as the operation does
         */
        void on(ApiTargets targets) throws Exception;
    }
}
