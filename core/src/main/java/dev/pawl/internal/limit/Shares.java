package dev.pawl.internal.limit;

import dev.pawl.internal.store.LimitSource;
import java.util.List;

/**
 * Divides the places of a limit among workers: their sum is never more than there are, unless the limit was lowered, and
 * then nobody gets more until it fits. A worker keeps what it has until it says that it runs no more than less.
 *
 * @param places how many there are
 * @param taken by other workers, dead ones included, as far as their leases last
 * @param claimants how many other workers have some or want some
 * @param wanted how many more the others would use
 */
record Shares(int places, int taken, int claimants, int wanted) {
    /** Who wants more asks every three seconds at least; who has not asked for so long may be dead, and wants nothing. */
    private static final long WANTS_MICROS = 5_000_000;

    private static final long SHARE_MICROS = LimitSource.SHARE.toNanos() / 1000;

    /**
     * The share of a worker.
     *
     * @param workerId the worker
     * @param share how many it may run at once
     * @param wants how many more it would use
     * @param expires when it ends, unless it is renewed
     */
    record Share(long workerId, int share, int wants, long expires) {
        /** What a dead worker has is nobody else's for longer: it may still run. But no place is kept free for what it wants. */
        private boolean wantsMore(long now) {
            return wants > 0 && expires - SHARE_MICROS + WANTS_MICROS > now;
        }
    }

    /**
     * @param places how many there are
     * @param others the shares of the other workers; those that are over are as large as their leases
     * @param now the present
     * @return what is left
     */
    static Shares of(int places, List<Share> others, long now) {
        int taken = others.stream().mapToInt(Share::share).sum();
        List<Share> live = others.stream().filter(share -> share.expires > now).toList();
        int claimants = (int) live.stream()
                .filter(share -> share.share > 0 || share.wantsMore(now))
                .count();
        int wanted = live.stream()
                .filter(share -> share.wantsMore(now))
                .mapToInt(Share::wants)
                .sum();
        return new Shares(places, taken, claimants, wanted);
    }

    /**
     * @param mine the worker's share so far
     * @param asked what it wants
     * @param hungry whether it would use that; if not, it gets no more while others would
     * @return its share from now on
     */
    int deal(int mine, int asked, boolean hungry) {
        if (asked <= mine) {
            return asked;
        }
        if (!hungry && wanted > 0) {
            return mine;
        }
        int most = wanted > 0 ? Math.max(mine, Math.min(asked, part())) : asked;
        return Math.max(mine, Math.min(most, left()));
    }

    /**
     * @param mine the worker's share
     * @return how many it should go down to: no further than the others want, and not below its part
     */
    int fair(int mine) {
        return Math.min(left(), Math.max(Math.min(mine, part()), mine - wanted));
    }

    private int left() {
        return Math.max(0, places - taken);
    }

    /** Where there are fewer places than workers, one of them may have one, and another not. */
    private int part() {
        return Math.min(places, Math.max(1, places / (1 + claimants)));
    }
}
