package dev.pawl;

/**
 * A queue has as many waiting jobs as it may have ({@link JobQueueBuilder#maxWaiting}, {@link dev.pawl.limit.Limit#maxWaiting}), so nothing was enqueued: tell whoever asked to
 * come again later (429), or wait.
 */
public final class QueueFullException extends PawlException {
    private static final long serialVersionUID = 1L;

    private final String queue;
    private final int most;

    /**
     * @param queue its name
     * @param waiting how many jobs wait, about
     * @param jobs how many more there would have been
     * @param most how many it may have
     */
    public QueueFullException(String queue, long waiting, int jobs, int most) {
        super(
                "queue '" + queue + "' has about " + waiting + " waiting jobs, of " + most + " that it may have, so "
                        + (jobs == 1 ? "a job was" : jobs + " jobs were")
                        + " refused: try again later, add workers, or allow more (maxWaiting of the program, or of the queue: pawl limits)",
                null);
        this.queue = queue;
        this.most = most;
    }

    /** {@return the name of the queue} */
    public String queue() {
        return queue;
    }

    /** {@return how many waiting jobs it may have} */
    public int most() {
        return most;
    }
}
