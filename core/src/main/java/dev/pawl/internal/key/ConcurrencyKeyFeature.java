package dev.pawl.internal.key;

import dev.pawl.internal.feature.ChangePolicy;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.OrphanPolicy;
import dev.pawl.internal.feature.RowPolicy;
import java.util.List;

/** Concurrency keys: jobs of one key run in order, at most a set number at once. */
public final class ConcurrencyKeyFeature implements Feature {
    private static final String RELEASED = "the release of the key that follows the end of each of its jobs deletes it";

    @Override
    public String name() {
        return "concurrency keys";
    }

    @Override
    public List<JobLink> links() {
        return List.of(new JobLink(
                "pawl_keyed",
                "job_id",
                JobLink.Jobs.IN_ROWS,
                removal -> switch (removal) {
                    case PRUNE, DELETE -> RowPolicy.keep(RELEASED);
                    case ERASE, CANCEL -> RowPolicy.deleteAfterJob();
                },
                new OrphanPolicy.Ignore(RELEASED),
                new ChangePolicy.Follow(KeyChanges::new)));
    }
}
