package dev.pawl.api;

/**
 * The queue has reached its bound of waiting jobs ({@link dev.pawl.JobQueueBuilder#maxWaiting}, {@link dev.pawl.limit.Limit#maxWaiting}),
 * and the jobs were refused. Earlier batches of a bulk enqueue stay committed. Try again later, or tell the client to do so (429).
 */
public final class QueueFullException extends PawlException {
    private static final long serialVersionUID = 1L;

    private final String queue;
    private final int most;

    /**
     * @param queue its name
     * @param waiting the approximate number of waiting jobs
     * @param jobs the number of refused jobs
     * @param most the bound
     */
    public QueueFullException(String queue, long waiting, int jobs, int most) {
        super(
                "queue '" + queue + "' is full: about " + waiting + " jobs wait, and " + most + " may, so "
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

    /** {@return the maximum number of waiting jobs} */
    public int most() {
        return most;
    }
}
