package dev.pawl.internal.claim;

import dev.pawl.internal.store.Grant;
import java.util.Comparator;
import java.util.List;

/** An update returns its rows in no particular order; this is the order in which they are to be run. */
public final class ClaimOrder {
    private static final Comparator<Grant> ORDER = Comparator.<Grant>comparingInt(
                    claimed -> claimed.job().priority())
            .thenComparing(claimed -> claimed.job().availableAt())
            .thenComparingLong(claimed -> claimed.job().id());

    private ClaimOrder() {}

    /** {@return the list, sorted in place} */
    public static List<Grant> sort(List<Grant> claimed) {
        claimed.sort(ORDER);
        return claimed;
    }
}
