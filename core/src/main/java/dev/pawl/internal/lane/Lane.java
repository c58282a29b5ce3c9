package dev.pawl.internal.lane;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The lane for a queue's jobs of one priority.
 *
 * @param id in the tables
 * @param queue of the jobs
 * @param priority of all of them
 * @param isOpen whether new jobs may be written to it; a closed lane is still drained
 */
public record Lane(int id, String queue, int priority, boolean isOpen) {
    /** Greater than any id that a table could have counted up to. */
    private static final int FIRST = 1 << 30;

    /**
     * {@return the id of a lane, which depends only on its queue and priority: a database that has lost its last
     * commits, and the lane with them, assigns
     * the same id again, and never gives it to another lane}
     *
     * @param queue of the jobs
     * @param priority of all of them
     * @param tries how many ids are taken by other lanes
     */
    static int id(String queue, int priority, int tries) {
        try {
            byte[] name = (tries + " " + priority + " " + queue).getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name);
            return FIRST | (ByteBuffer.wrap(digest).getInt() & (FIRST - 1));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has it", e);
        }
    }
}
