package dev.pawl;

import java.util.List;

/**
 * What {@link WorkerBuilder#checkPayloads} has found.
 *
 * @param read how many payloads can be read
 * @param unreadable how many cannot
 * @param examples of those, the newest first, at most 100
 */
public record PayloadCheck(long read, long unreadable, List<Unreadable> examples) {
    /** Copies the list. */
    public PayloadCheck {
        examples = List.copyOf(examples);
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
