package dev.pawl.conformance.schedule;

import java.sql.Connection;

/** Called before and after each call that a thread sends to the database. */
interface Gate {
    /**
     * @param connection of the call
     * @param call the call that is about to be sent
     */
    void before(Connection connection, String call);

    /**
     * @param outcome a short form of the result
     * @param isContention whether the database reports contention
     */
    void after(String outcome, boolean isContention);

    /** For threads that run alone. */
    Gate OPEN = new Gate() {
        @Override
        public void before(Connection connection, String call) {}

        @Override
        public void after(String outcome, boolean isContention) {}
    };
}
