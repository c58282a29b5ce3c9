package dev.pawl.internal.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Finds idle handlers of this process for its enqueues. Thread-safe. */
public final class ClaimOffers {
    private final List<Source> sources = new CopyOnWriteArrayList<>();

    /** A worker that may have idle handlers. */
    @FunctionalInterface
    public interface Source {
        /**
         * Reserves an idle handler, without a statement.
         *
         * @param queue of the job
         * @param kind of the job
         * @return the offer; null if there is none
         */
        @Nullable
        ClaimOffer offer(String queue, String kind);
    }

    /** Called when a worker begins to claim. */
    public void add(Source source) {
        sources.add(source);
    }

    /** Called when a worker has stopped. */
    public void remove(Source source) {
        sources.remove(source);
    }

    /**
     * @param queue of a new job that is due at once
     * @param kind of the job
     * @return the offer of a worker; null if there is none
     */
    public @Nullable ClaimOffer offer(String queue, String kind) {
        for (Source source : sources) {
            ClaimOffer offer = source.offer(queue, kind);
            if (offer != null) {
                return offer;
            }
        }
        return null;
    }
}
