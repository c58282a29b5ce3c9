package dev.pawl.internal.unique;

import dev.pawl.internal.feature.ChangePolicy;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.OrphanPolicy;
import dev.pawl.internal.feature.RowPolicy;
import java.util.List;

/** Unique keys that are held for a time or by a scope. That of a live job alone is a column of the job. */
public final class UniqueKeyFeature implements Feature {
    private static final String OUTLIVES =
            "a key may be held longer than its job is kept; it is deleted when its time has passed";

    @Override
    public String name() {
        return "unique keys";
    }

    @Override
    public List<JobLink> links() {
        return List.of(new JobLink(
                "pawl_unique",
                "job_id",
                JobLink.Jobs.IN_ROWS,
                removal -> switch (removal) {
                    case PRUNE, DELETE, CANCEL -> RowPolicy.keep(OUTLIVES);
                    case ERASE -> new RowPolicy.Own(ErasedUniqueKeys::delete);
                },
                new OrphanPolicy.Ignore(OUTLIVES),
                new ChangePolicy.Unaffected("a key belongs to the kind of its job, which never changes")));
    }
}
