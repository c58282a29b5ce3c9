package dev.pawl.internal.store;

import dev.pawl.Job;
import java.time.Duration;
import java.time.Instant;

/** Jobs that their batch holds back are due in the distant future, at other moments than those that are parked by their keys. */
public final class LaidAside {
    /** No job is due so late unless it is laid aside, or {@link Job#PARKED}. */
    public static final Instant FROM = Job.HELD_BACK.minus(Job.HELD_AROUND);

    /** Before this. */
    public static final Instant UNTIL = Job.HELD_BACK.plus(Job.HELD_AROUND);

    /** When a job is laid aside as it is written. */
    public static final Instant AT = Job.HELD_BACK;

    /** For how long a worker lays jobs aside: in the six centuries to come that ends between the two moments. */
    public static final Duration LENGTH = Duration.ofDays(365L * 6_250);

    /** After the end of a pause all workers have heard of it, and what they had put aside until then can be found. */
    public static final Duration KNOWN = Duration.ofMinutes(2);

    private LaidAside() {}
}
