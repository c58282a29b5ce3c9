package dev.pawl.internal.store.sql;

import dev.pawl.internal.store.ClaimedJob;
import java.util.Comparator;
import java.util.List;

/** An update answers its rows in any order; this is the order in which they are to be run. */
public final class ClaimOrder {
    private static final Comparator<ClaimedJob> ORDER = Comparator.<ClaimedJob>comparingInt(
                    claimed -> claimed.job().priority())
            .thenComparing(claimed -> claimed.job().availableAt())
            .thenComparingLong(claimed -> claimed.job().id());

    private ClaimOrder() {}

    /** {@return the list, sorted in place} */
    public static List<ClaimedJob> sort(List<ClaimedJob> claimed) {
        claimed.sort(ORDER);
        return claimed;
    }
}
