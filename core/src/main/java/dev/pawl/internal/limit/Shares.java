package dev.pawl.internal.limit;

import dev.pawl.internal.store.LimitSource;
import java.util.List;

/**
 * Divides the permits of a limit among workers. The sum of all shares never exceeds the limit, unless the limit was lowered. After that, no
 * worker gets more permits until the sum is within the limit. A worker keeps its permits until it reports that it runs fewer jobs.
 *
 * @param places number of permits
 * @param taken permits of other workers, including dead ones while their leases last
 * @param claimants number of other workers that have or want permits
 * @param wanted how many more permits other workers would use
 */
record Shares(int places, int taken, int claimants, int wanted) {
    /**
     * After this time without a request, the demand of a worker is ignored. A worker that wants more permits sends a request at least every
     * three seconds.
     */
    private static final long WANTS_MICROS = 5_000_000;

    private static final long SHARE_MICROS = LimitSource.SHARE.toNanos() / 1000;

    /**
     * The share of a worker.
     *
     * @param workerId the worker
     * @param permits how many jobs it may run at once
     * @param wanted how many more permits it would use
     * @param expiresAt when the share expires unless it is renewed, in microseconds since 1970; 0 if its worker has
     *     released it
     */
    record Share(long workerId, int permits, int wanted, long expiresAt) {
        /**
         * Whether the worker's demand counts. The permits of a dead worker stay reserved for longer than its demand
         * counts, because its jobs may still run.
         */
        private boolean wantsMore(long now) {
            return wanted > 0 && expiresAt - SHARE_MICROS + WANTS_MICROS > now;
        }
    }

    /**
     * @param places number of permits
     * @param others the shares of the other workers; an expired share is as large as the number of leases that its
     *     worker holds
     * @param now the current time, in microseconds since 1970
     * @return the division
     */
    static Shares of(int places, List<Share> others, long now) {
        int taken = others.stream().mapToInt(Share::permits).sum();
        List<Share> live =
                others.stream().filter(share -> share.expiresAt > now).toList();
        int claimants = (int) live.stream()
                .filter(share -> share.permits > 0 || share.wantsMore(now))
                .count();
        int wanted = live.stream()
                .filter(share -> share.wantsMore(now))
                .mapToInt(Share::wanted)
                .sum();
        return new Shares(places, taken, claimants, wanted);
    }

    /**
     * @param mine the worker's share so far
     * @param requested how many permits it requests
     * @param wantsMore whether it would use more permits; if not, it gets no more while other workers want some
     * @return its new share
     */
    int allocate(int mine, int requested, boolean wantsMore) {
        if (requested <= mine) {
            return requested;
        }
        if (!wantsMore && wanted > 0) {
            return mine;
        }
        int most = wanted > 0 ? Math.max(mine, Math.min(requested, part())) : requested;
        return Math.max(mine, Math.min(most, left()));
    }

    /**
     * @param mine the worker's share
     * @return the number of permits to which the worker should reduce its share. Unless the limit was lowered, the worker returns no more
     *     permits than other workers want, and keeps at least its part
     */
    int fair(int mine) {
        return Math.min(left(), Math.max(Math.min(mine, part()), mine - wanted));
    }

    private int left() {
        return Math.max(0, places - taken);
    }

    /** A worker's part of the permits. With fewer permits than workers, some workers have one permit, and others none. */
    private int part() {
        return Math.min(places, Math.max(1, places / (1 + claimants)));
    }
}
