package dev.pawl.specification.concurrent;

import dev.pawl.specification.concurrent.History.Lease;
import dev.pawl.specification.concurrent.History.Run;
import dev.pawl.specification.concurrent.History.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Each claim of a job has its own token, which is larger than those of earlier claims. */
final class TokensGrow implements Promise {
    @Override
    public List<String> brokenBy(History history) {
        List<String> broken = new ArrayList<>();
        Set<Lease> leases = new HashSet<>();
        for (Run run : history.runs) {
            if (!leases.add(run.lease())) {
                broken.add("two runs have the " + run.lease());
            }
        }
        Map<Long, Seen> before = new HashMap<>();
        for (Seen seen : history.seen) {
            Seen earlier = before.put(seen.job().id(), seen);
            if (earlier != null && earlier.job().leaseToken() > seen.job().leaseToken()) {
                broken.add("the token of job " + seen.job().id() + " has gone back from "
                        + earlier.job().leaseToken() + " to " + seen.job().leaseToken());
            }
        }
        // a handler may start late, after its lease was lost, so only runs whose outcome was accepted are compared
        Map<Long, Run> latest = new HashMap<>();
        history.runsByJob()
                .values()
                .forEach(runs -> runs.stream()
                        .filter(run -> history.endOf(run).isPresent())
                        .forEach(run -> {
                            Run earlier = latest.put(run.job().id(), run);
                            if (earlier != null
                                    && earlier.job().leaseToken() >= run.job().leaseToken()) {
                                broken.add("the token has not grown from " + earlier.lease() + " to " + run.lease());
                            }
                        }));
        return broken;
    }
}
