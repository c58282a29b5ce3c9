package dev.pawl.specification.concurrent;

import dev.pawl.specification.concurrent.History.Ended;
import dev.pawl.specification.concurrent.History.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A finished job keeps its state, unless a user retries the job. */
final class FinishedIsFinal implements Promise {
    @Override
    public List<String> brokenBy(History history) {
        List<String> broken = new ArrayList<>();
        Map<Long, Seen> before = new HashMap<>();
        for (Seen seen : history.seen) { // in the order in which they were listed
            Seen earlier = before.put(seen.job().id(), seen);
            if (earlier != null
                    && earlier.job().state().isFinished()
                    && earlier.job().state() != seen.job().state()
                    && !history.isRetried(
                            seen.job().id(), earlier.span().from(), seen.span().to())) {
                broken.add("job " + seen.job().id() + " was " + earlier.job().state() + ", and then "
                        + seen.job().state());
            }
        }
        Map<Long, Ended> finals = new HashMap<>();
        for (Ended end : history.ended) {
            if (end.state().isFinished()) {
                Ended earlier = finals.put(end.lease().job(), end);
                if (earlier != null && !history.isRetried(end.lease().job(), Long.MIN_VALUE, Long.MAX_VALUE)) {
                    broken.add("two runs of job " + end.lease().job() + " have ended it: " + earlier + ", " + end);
                }
            }
        }
        finals.forEach((id, end) -> {
            boolean isLast =
                    history.last.containsKey(id) && history.last.get(id).state() == end.state();
            if (!isLast && !history.isErased(id) && !history.isRetried(id, Long.MIN_VALUE, Long.MAX_VALUE)) {
                broken.add("job " + id + " was " + end.state() + ", and is " + history.last.get(id));
            }
        });
        return broken;
    }
}
