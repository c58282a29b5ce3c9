package dev.pawl.internal.store;

import java.util.List;

/** What features add to the workers of a queue. */
@FunctionalInterface
public interface WorkerFeatures {
    /**
     * @param worker gets them
     * @return new ones for this worker
     */
    Additions of(WorkerContext worker);

    /**
     * What features add to one worker.
     *
     * @param duties work beside its main path
     * @param filters keep claimed jobs from starting
     */
    record Additions(List<Duty> duties, List<ClaimFilter> filters) {
        /** Nothing. */
        public static final Additions NONE = new Additions(List.of(), List.of());

        /** The lists are copied. */
        public Additions {
            duties = List.copyOf(duties);
            filters = List.copyOf(filters);
        }
    }
}
