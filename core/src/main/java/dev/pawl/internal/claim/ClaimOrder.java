package dev.pawl.internal.claim;

import dev.pawl.internal.store.Grant;
import java.util.Comparator;
import java.util.List;

/** Sorts the rows of an update, which are in no particular order, into the order in which they are to be run. */
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
