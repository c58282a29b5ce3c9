package dev.pawl.internal.lane;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The lane for a queue's jobs of one priority; on a cluster whose nodes all take writes, for those that are enqueued on one node.
 *
 * @param id of the lane in the tables
 * @param queue of the jobs
 * @param priority of all its jobs
 * @param isOpen whether new jobs may be written to it; a closed lane is still drained
 * @param node on which its jobs are enqueued; 0 for a server that is not part of such a cluster
 */
public record Lane(int id, String queue, int priority, boolean isOpen, int node) {
    /** Greater than any id that a table could have counted up to. */
    private static final int FIRST = 1 << 30;

    /**
     * {@return the id of a lane, which depends only on its queue, priority and node: a database that has lost its last
     * commits, and the lane with them, assigns
     * the same id again, and never gives it to another lane}
     *
     * @param queue of the jobs
     * @param priority of all of them
     * @param node on which they are enqueued; 0 for one server
     * @param tries how many ids are taken by other lanes
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
