package dev.pawl.internal.lane;

/**
 * Names a range.
 *
 * @param lane its lane
 * @param after the last id of the range before it
 */
record RangeKey(int lane, long after) implements Comparable<RangeKey> {
    /** Every transaction locks ranges in this order, so that two of them cannot deadlock. */
    @Override
    public int compareTo(RangeKey other) {
        int byLane = Integer.compare(lane, other.lane);
        return byLane != 0 ? byLane : Long.compare(after, other.after);
    }
}
