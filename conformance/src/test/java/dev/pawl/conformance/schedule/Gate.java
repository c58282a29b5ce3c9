package dev.pawl.conformance.schedule;

import java.sql.Connection;

/** Where a thread stands before and after each call that reaches the database. */
interface Gate {
    /**
     * @param connection on which
     * @param call what is about to be sent
     */
    void before(Connection connection, String call);

    /**
     * @param outcome what came back, briefly
     * @param isContention whether the database says that others are in the way
     */
    void after(String outcome, boolean isContention);

    /** For what goes on alone. */
    Gate OPEN = new Gate() {
        @Override
        public void before(Connection connection, String call) {}

        @Override
        public void after(String outcome, boolean isContention) {}
    };
}
