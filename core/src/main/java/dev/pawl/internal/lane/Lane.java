package dev.pawl.internal.lane;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The lane for a queue's jobs of one priority. On a cluster whose nodes all take writes, each node has a lane for the jobs that are
 * enqueued on it.
 *
 * @param id of the lane in the tables
 * @param queue of the jobs
 * @param priority of all its jobs
 * @param isOpen whether new jobs may be written to it; a closed lane is still drained
 * @param node on which its jobs are enqueued; 0 for a server that is not part of such a cluster
 */
public record Lane(int id, String queue, int priority, boolean isOpen, int node) {
    /** The smallest computed id, greater than any id that the table's counter could have assigned. */
    private static final int FIRST = 1 << 30;

    /**
     * {@return the id of a lane, computed from its queue, priority and node} If a database loses its last commits, and the lane with them,
     * the lane gets the same id when it is opened again, and no other lane gets this id.
     *
     * @param queue of the jobs
     * @param priority of all of them
     * @param node on which they are enqueued; 0 for one server
     * @param tries the number of previous tries, whose ids belonged to other lanes
     */
    static int id(String queue, int priority, int node, int tries) {
        try {
            byte[] name = (tries + " " + priority + (node == 0 ? "" : "/" + node) + " " + queue)
                    .getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name);
            return FIRST | (ByteBuffer.wrap(digest).getInt() & (FIRST - 1));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has it", e);
        }
    }
}
