package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import java.util.List;
import java.util.Map;

/**
 * Limits one statement to 1,000 jobs and about 4 MB of text, so that it fits the packets of every server even if each character is
 * escaped. One job always fits. Counts one statement after the other; confined to one thread.
 */
public final class StatementSize {
    private static final int JOBS = 1000;
    private static final long BYTES = 4L << 20;
    /** A generous estimate of the bytes of a row besides its texts. */
    private static final int ROW = 200;

    private int jobs;
    private long bytes;

    /**
     * @param job the next job
     * @return whether it begins a new statement because it does not fit the current one
     */
    public boolean begins(JobRequest job) {
        long size = bytes(job);
        boolean full = jobs > 0 && (jobs == JOBS || bytes + size > BYTES);
        jobs = full ? 1 : jobs + 1;
        bytes = full ? size : bytes + size;
        return full;
    }

    /**
     * {@return whether jobs with the same options fit one statement even at three bytes per character; if false, they may still fit}
     */
    static boolean certainlyFits(List<JobRequest> some) {
        long most = 0;
        for (JobRequest job : some) {
            most += ROW + 3L * job.payload().length();
        }
        EnqueueOptions options = some.get(0).options();
        return some.size() <= JOBS
                && options.tags().isEmpty()
                && options.headers().isEmpty()
                && most <= BYTES;
    }

    /** {@return the approximate size of a job in a statement, in bytes of UTF-8} */
    public static long bytes(JobRequest job) {
        long bytes = ROW + utf8(job.payload());
        for (String tag : job.options().tags()) {
            bytes += utf8(tag);
        }
        String key = job.options().key();
        bytes += key == null ? 0 : utf8(key);
        for (Map.Entry<String, String> header : job.options().headers().entrySet()) {
            bytes += utf8(header.getKey()) + utf8(header.getValue());
        }
        return bytes;
    }

    private static long utf8(String text) {
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return bytes;
    }
}
