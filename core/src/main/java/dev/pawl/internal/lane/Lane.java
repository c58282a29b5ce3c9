package dev.pawl.internal.lane;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A queue's jobs of one priority.
 *
 * @param id as the tables have it
 * @param queue whose jobs
 * @param priority of all of them
 * @param isOpen whether new jobs may be written to it; a closed one is still drained
 */
public record Lane(int id, String queue, int priority, boolean isOpen) {
    /** Greater than any number that a table has counted. */
    private static final int FIRST = 1 << 30;

    /**
     * {@return the id of a lane, which follows from what it is for: a database that has lost its last commits, and the lane with them, gets
     * the same one again, and never gives its id to another}
     *
     * @param queue whose jobs
     * @param priority of all of them
     * @param tries how many ids are taken by others
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
