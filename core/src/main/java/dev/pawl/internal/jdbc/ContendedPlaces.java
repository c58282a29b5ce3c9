package dev.pawl.internal.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The lanes and queues where claims of this process take turns, for some seconds after they collided there with claims of other workers.
 * Thread-safe.
 */
public final class ContendedPlaces {
    private static final long TURNS_NANOS = TimeUnit.SECONDS.toNanos(10);
    /**
     * How long claims race again after a claim could not get its turn. Another worker may be frozen during its turn, or the server may have
     * no turns.
     */
    private static final long NO_TURNS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<String, Long> lastNanos = new ConcurrentHashMap<>();
    private final Map<String, Long> refusedNanos = new ConcurrentHashMap<>();

    /** Reports that a claim lost a race, or was slow. */
    public void add(String place) {
        lastNanos.put(place, System.nanoTime());
    }

    /** Lets the first claims of a process take turns, because many processes may start at the same time. */
    public void addIfUnknown(String place) {
        Long unused = lastNanos.putIfAbsent(place, System.nanoTime());
    }

    /** {@return whether the next claim should wait for its turn} */
    public boolean takeTurns(String place) {
        Long refused = refusedNanos.get(place);
        Long last = lastNanos.get(place);
        long now = System.nanoTime();
        return last != null && now - last < TURNS_NANOS && (refused == null || now - refused >= NO_TURNS_NANOS);
    }

    /** Reports that a claim could not take its turn. */
    public void noTurn(String place) {
        refusedNanos.put(place, System.nanoTime());
    }
}
