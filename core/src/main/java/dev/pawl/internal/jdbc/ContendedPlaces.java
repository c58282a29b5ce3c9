package dev.pawl.internal.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Where claims of this process take turns: for some seconds after they met those of other workers there. Thread-safe. */
public final class ContendedPlaces {
    private static final long TURNS_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** For this time claims race again after a turn could not be had: its owner may be frozen, or the server has none. */
    private static final long NO_TURNS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<String, Long> lastNanos = new ConcurrentHashMap<>();
    private final Map<String, Long> refusedNanos = new ConcurrentHashMap<>();

    /** A claim lost a race, or was slow. */
    public void add(String place) {
        lastNanos.put(place, System.nanoTime());
    }

    /** The first claims of a process may meet those of many others that start at the same time. */
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

    /** A claim could not have its turn. */
    public void noTurn(String place) {
        refusedNanos.put(place, System.nanoTime());
    }
}
