package dev.pawl.internal.store;

import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import java.sql.SQLException;
import java.util.List;

/** What features add to the workers of a queue. */
public interface WorkerFeatures {
    /**
     * @param worker gets them
     * @return new ones for this worker
     */
    Additions of(WorkerContext worker);

    /**
     * @param worker gets them
     * @param host what it offers to them, once they run
     * @return new ones for this worker
     */
    Parts parts(WorkerContext worker, WorkerHost host);

    /**
     * The outcome of a run that no worker of this process has run was recorded; the parts of a worker hear of its own by
     * {@link WorkerPart#ran}.
     *
     * @param job as it was run
     * @param outcome of the run
     * @throws SQLException from the driver
     */
    default void ran(Job job, Outcome outcome) throws SQLException {}

    /**
     * Parts of one worker that run on threads of their own.
     *
     * @param all in the order in which they start
     * @param admission bounds how many jobs the worker claims and starts
     */
    record Parts(List<WorkerPart> all, Admission admission) {
        /** The list is copied. */
        public Parts {
            all = List.copyOf(all);
        }
    }

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
