package dev.pawl;

import java.util.List;
import java.util.Map;

/**
 * What {@link WorkerBuilder#checkPayloads} has found.
 *
 * @param read how many payloads can be read
 * @param unreadable how many cannot
 * @param examples of those, the newest first, at most 100
 * @param unhandled how many jobs wait or run whose kinds have no handler here, by kind; of 1,000 kinds at most. The present program
 *     would leave them alone; that is right if another one handles them
 */
public record PayloadCheck(long read, long unreadable, List<Unreadable> examples, Map<String, Long> unhandled) {
    /** Copies the list and the map. */
    public PayloadCheck {
        examples = List.copyOf(examples);
        unhandled = Map.copyOf(unhandled);
    }

    /**
     * A job whose payload the present program cannot read.
     *
     * @param jobId the job
     * @param kind of the job
     * @param why what the codec says
     */
    public record Unreadable(long jobId, String kind, String why) {}
}
