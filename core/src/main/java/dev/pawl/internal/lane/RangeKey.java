package dev.pawl.internal.lane;

/**
 * Identifies a range.
 *
 * @param lane of the range
 * @param after the last id of the previous range
 */
record RangeKey(int lane, long after) implements Comparable<RangeKey> {
    /** Every transaction locks ranges in this order, so that two of them cannot deadlock. */
    @Override
    public int compareTo(RangeKey other) {
        int byLane = Integer.compare(lane, other.lane);
        return byLane != 0 ? byLane : Long.compare(after, other.after);
    }
}
