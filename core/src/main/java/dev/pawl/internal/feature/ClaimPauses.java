package dev.pawl.internal.feature;

/** What holds the jobs of queues and kinds for a while, in SQL: jobs that are held are no work for a suspended worker. */
public interface ClaimPauses {
    /** What is held as a whole. */
    enum Of {
        /** The jobs of a queue. */
        QUEUE,
        /** The jobs of a kind. */
        KIND
    }

    /**
     * @param subject what the name is of
     * @param name an SQL expression
     * @return a condition: it is not held now
     */
    String none(Of subject, String name);

    /**
     * @param names of kinds: a list in brackets
     * @return an expression: how many of them are held now
     */
    String pausedKinds(String names);
}
