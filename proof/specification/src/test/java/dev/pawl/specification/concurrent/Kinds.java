package dev.pawl.specification.concurrent;

import dev.pawl.api.JobType;
import java.util.List;

/** The kinds of jobs. */
final class Kinds {
    static final JobType<Integer> PLAIN = JobType.of("plain", Integer.class);
    static final JobType<Integer> OTHER = JobType.of("other", Integer.class);
    /** Only {@link Rules#FEW} of these run at once. */
    static final JobType<Integer> FEW = JobType.of("few", Integer.class);
    /** Only some of these start in a second. */
    static final JobType<Integer> RATED = JobType.of("rated", Integer.class);
    /** Reserves a slot. */
    static final JobType<Integer> SLOT = JobType.of("slot", Integer.class);

    /** Jobs about a person, which may be erased. */
    static final JobType<String> PRIVATE = JobType.of("private", String.class);

    static final JobType<String> CALLBACK = JobType.of("callback", String.class);
    static final JobType<String> TICK = JobType.of("tick", String.class);

    static final List<JobType<Integer>> DRAWN = List.of(PLAIN, PLAIN, PLAIN, OTHER, OTHER, FEW, FEW, RATED, SLOT);
    /** Kinds for workflows, whose jobs must all run. {@link #SLOT} is left out, because its jobs may be refused a slot. */
    static final List<JobType<Integer>> OF_FLOWS = List.of(PLAIN, PLAIN, OTHER, FEW, RATED);

    private Kinds() {}
}
