package dev.pawl.specification.concurrent;

import dev.pawl.specification.concurrent.History.Ended;
import dev.pawl.specification.concurrent.History.Lease;
import dev.pawl.specification.concurrent.History.Run;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** At most one outcome counts for a token, and two runs of a job whose outcomes both count do not overlap. */
final class OneOutcome implements Promise {
    @Override
    public List<String> brokenBy(History history) {
        List<String> broken = new ArrayList<>();
        Set<Lease> leases = new HashSet<>();
        for (Ended end : history.ended) {
            if (!leases.add(end.lease())) {
                broken.add("two outcomes count for " + end.lease());
            }
        }
        history.runsByJob().values().forEach(runs -> {
            Run latest = null;
            for (Run run : runs) {
                if (leases.contains(run.lease())) {
                    if (latest != null && run.span().from() < latest.span().to()) {
                        broken.add("two runs were under way, and both count: " + latest.lease() + ", " + run.lease());
                    }
                    latest = run;
                }
            }
        });
        return broken;
    }
}
