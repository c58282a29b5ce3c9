package dev.pawl.internal.feature;

/** SQL conditions for queues and kinds whose jobs are paused for a while. A suspended worker does not resume for paused jobs. */
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
     * @return the condition that the jobs of this queue or kind are not paused now
     */
    String none(Of subject, String name);

    /**
     * @param names of kinds: a list in brackets
     * @return the expression for the number of these kinds that are paused now
     */
    String pausedKinds(String names);
}
