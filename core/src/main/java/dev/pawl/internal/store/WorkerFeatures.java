package dev.pawl.internal.store;

import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import java.sql.SQLException;
import java.util.List;

/** What features add to the workers of a queue. */
public interface WorkerFeatures {
    /**
     * @param worker the worker
     * @return new duties and filters for this worker
     */
    Additions of(WorkerContext worker);

    /**
     * @param worker the worker
     * @param host what the worker offers to its parts once they run
     * @return new parts for this worker
     */
    Parts parts(WorkerContext worker, WorkerHost host);

    /**
     * Called when the outcome of a remote run has been recorded. For runs of a worker of this process, {@link WorkerPart#ran} is called
     * instead.
     *
     * @param job the job of the run
     * @param outcome of the run
     * @throws SQLException from the driver
     */
    default void ran(Job job, Outcome outcome) throws SQLException {}

    /**
     * Parts of one worker that run on threads of their own.
     *
     * @param all the parts, in the order in which they start
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
     * @param duties do work beside the main path of the worker
     * @param filters keep claimed jobs from starting
     */
    record Additions(List<Duty> duties, List<ClaimFilter> filters) {
        /** No additions. */
        public static final Additions NONE = new Additions(List.of(), List.of());

        /** The lists are copied. */
        public Additions {
            duties = List.copyOf(duties);
            filters = List.copyOf(filters);
        }
    }
}
