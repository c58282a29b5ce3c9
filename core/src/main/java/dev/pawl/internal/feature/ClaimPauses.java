package dev.pawl.internal.feature;

/** SQL conditions for queues and kinds whose jobs are paused for a while: paused jobs are no work for a suspended worker. */
public interface ClaimPauses {
    /** The kind of group that is paused as a whole. */
    enum Of {
        /** The jobs of a queue. */
        QUEUE,
        /** The jobs of a kind. */
        KIND
    }

    /**
     * @param subject whether the name is that of a queue or of a kind
     * @param name an SQL expression
     * @return a condition: its jobs are not paused now
     */
    String none(Of subject, String name);

    /**
     * @param names of kinds: a list in brackets
     * @return an expression: how many of them are paused now
     */
    String pausedKinds(String names);
}
