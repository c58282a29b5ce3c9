package dev.pawl.internal.engine;

/**
 * How many jobs to claim: for each idle handler one, and as many more as the handlers got through in the last second, up
 * to the buffer's size. Fast jobs fill the buffer, slow jobs leave it empty and free for other workers. Used by one
 * thread.
 */
final class Prefetch {
    private static final double SECOND = 1e9;

    private final int bufferSize;
    private final int largestClaim;
    private long lastNanos;
    private long lastTaken;
    private double perSecond;

    Prefetch(int bufferSize, int largestClaim, long nowNanos) {
        this.bufferSize = bufferSize;
        this.largestClaim = largestClaim;
        this.lastNanos = nowNanos;
    }

    /**
     * @param level of the buffer now
     * @param nowNanos the present
     * @return how many to claim, zero if the buffer is still more than half full
     */
    int wanted(Buffer.Level level, long nowNanos) {
        measure(level.taken(), nowNanos);
        int target = (int) Math.min(bufferSize, perSecond);
        boolean enough = level.idle() <= level.buffered() && level.buffered() > target / 2;
        int missing = level.idle() + target - level.buffered();
        return enough || missing <= 0 ? 0 : Math.min(missing, largestClaim);
    }

    private void measure(long taken, long nowNanos) {
        double elapsed = nowNanos - lastNanos;
        if (elapsed < SECOND / 1000) {
            return; // too short to measure
        }
        double now = (taken - lastTaken) * SECOND / elapsed;
        // Fast up, slow down: a rise is believed at once, a fall over about a second.
        double weight = now > perSecond ? 1 : Math.min(1, elapsed / SECOND);
        perSecond += (now - perSecond) * weight;
        lastNanos = nowNanos;
        lastTaken = taken;
    }
}
