package dev.pawl.internal.key;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Releases jobs of several keys of one queue, within a transaction that has locked the keys. */
final class KeyRelease {
    /** Limit of jobs of all keys together, so that transactions stay short. */
    private static final int MAX_RELEASED = 1_000;

    /**
     * Minimum number of jobs to read of each key, however many keys there are. More than one is read, because the job that became due first
     * need not be the first by priority.
     */
    private static final int MIN_PER_KEY = 10;

    private static final int BATCH = 500;
    /** Limit of passes. The next transaction, which follows immediately, releases the rest. */
    private static final int MAX_PASSES = 5;
    /** Minimum delay, in microseconds, of a release after due jobs were found locked. */
    private static final long RECHECK_MICROS = 50_000;

    /** Delay of the next release of a key whose next job another transaction has locked. */
    private static final Duration LOCKED_DELAY = Duration.ofMillis(100);

    private final KeyRows rows;
    private final InFlight inFlight;
    private final Release release;
    private final Connection connection;
    private final String queue;
    private final Collection<String> keys;
    /** The rest of the pause of each paused key, in microseconds; zero or less if one job is to be tried. */
    private final Map<String, Long> held;

    private final List<String> recovered = new ArrayList<>();
    private final int most;
    private final boolean ordered;
    private final boolean anyReleased;
    private final boolean anyDue;
    private final ReleaseRate releaseRate;
    private final int share;
    private final Map<String, Integer> counts = new HashMap<>();
    /** The released jobs that the rows of the keys name. */
    private final Map<String, List<Long>> before;

    /** The released jobs that the rows of the keys are to name. */
    private final Map<String, Set<Long>> named = new HashMap<>();
    /** The number of jobs in flight that have not begun, by key. */
    private final Map<String, Integer> waiting = new HashMap<>();

    private final Map<String, Duration> waits = new HashMap<>();
    private final List<String> empty = new ArrayList<>();

    /**
     * The tables that a release reads and writes.
     *
     * @param rows the keyed jobs
     * @param inFlight the jobs in flight
     */
    record Tables(KeyRows rows, InFlight inFlight) {}

    /**
     * @param tables the tables that it reads and writes
     * @param release claims jobs or makes them available
     * @param locked the locked keys
     * @param terms how jobs are released
     * @param releaseRate how many jobs it is useful to release
     */
    KeyRelease(
            Tables tables,
            Release release,
            Connection connection,
            String queue,
            KeyLocks.Locked locked,
            KeyRows.Terms terms,
            ReleaseRate releaseRate) {
        this.rows = tables.rows;
        this.inFlight = tables.inFlight;
        this.release = release;
        this.connection = connection;
        this.queue = queue;
        this.keys = locked.keys();
        this.held = new HashMap<>(locked.held());
        this.before = locked.released();
        this.most = terms.most();
        this.ordered = terms.ordered();
        this.anyReleased = terms.anyReleased();
        this.anyDue = terms.anyDue();
        this.releaseRate = releaseRate;
        this.share = Math.max(1, MAX_RELEASED / locked.keys().size());
    }

    /** {@return the keys to release again, and after how long} */
    Map<String, Duration> waits() {
        return waits;
    }

    /** {@return keys without any job} */
    List<String> empty() {
        return empty;
    }

    /** {@return the paused keys whose trial job has finished: their pause ends} */
    List<String> recovered() {
        return recovered;
    }

    void run() throws SQLException {
        countInFlight();
        Map<String, Integer> room = new LinkedHashMap<>();
        for (String key : keys) {
            int size = room(key);
            if (size > 0) {
                room.put(key, size);
            } else {
                scheduleNext(key);
            }
        }
        List<String> spare = new ArrayList<>();
        boolean anyLocked = !room.isEmpty() && anyDue && rows.advanceDue(connection, queue, many(room.keySet()));
        for (int pass = 1; pass <= MAX_PASSES && !room.isEmpty(); pass++) {
            Map<String, List<Long>> next = rows.next(connection, queue, room);
            Set<Long> live = release(next);
            for (Map.Entry<String, Integer> each : List.copyOf(room.entrySet())) {
                String key = each.getKey();
                List<Long> found = next.getOrDefault(key, List.of());
                int gone = (int) found.stream().filter(live::contains).count();
                counts.merge(key, gone, Integer::sum);
                releaseRate.released(key, gone);
                if (found.stream().anyMatch(release::isLocked)) {
                    waits.put(key, LOCKED_DELAY);
                    room.remove(key);
                    continue;
                }
                if (found.size() < each.getValue()) {
                    spare.add(key);
                } else if (gone == found.size()) {
                    scheduleNext(key);
                }
                if (found.size() < each.getValue() || gone == found.size()) {
                    room.remove(key);
                } else {
                    room.put(key, room(key));
                }
            }
            if (!room.isEmpty()) {
                deleteFinished(room.keySet());
            }
        }
        room.keySet().forEach(key -> waits.put(key, Duration.ZERO));
        scheduleDelayed(spare, anyLocked);
        writeNames();
    }

    /** Writes the ids in the rows of the keys, except for keys without any job, because their rows are about to be deleted. */
    private void writeNames() throws SQLException {
        Set<String> going = new HashSet<>(empty);
        SortedMap<String, Collection<Long>> changed = new TreeMap<>(); // rows are written in one order everywhere
        for (String key : keys) {
            Collection<Long> ids = named.getOrDefault(key, Set.of());
            if (!going.contains(key) && !List.copyOf(ids).equals(before.getOrDefault(key, List.of()))) {
                changed.put(key, ids);
            }
        }
        inFlight.write(connection, queue, changed);
    }

    private static Map<String, Integer> many(Collection<String> some) {
        Map<String, Integer> many = new LinkedHashMap<>();
        some.forEach(key -> many.put(key, Math.max(MIN_PER_KEY, MAX_RELEASED / some.size())));
        return many;
    }

    private static List<Long> ids(Map<String, List<Long>> next) {
        return next.values().stream().flatMap(List::stream).toList();
    }

    /**
     * Deletes the rows of jobs that finished while they were blocked. Where there is one such job, there may be many, such as after a bulk
     * cancel.
     */
    private void deleteFinished(Collection<String> some) throws SQLException {
        Map<String, List<Long>> next = rows.next(connection, queue, many(some));
        for (List<Long> ids : batches(ids(next))) {
            List<Long> ended = new ArrayList<>(ids);
            ended.removeAll(new HashSet<>(rows.live(connection, ids)));
            deleteBlocked(ended);
        }
    }

    /**
     * Deletes the rows of jobs that have ended. It locks the rows and reads the jobs again, because a user may retry such a job at this
     * moment.
     */
    private void deleteBlocked(List<Long> ended) throws SQLException {
        if (!ended.isEmpty()) {
            List<Long> locked = rows.lockBlocked(connection, ended);
            if (!locked.isEmpty()) {
                List<Long> still = new ArrayList<>(locked);
                still.removeAll(new HashSet<>(rows.live(connection, locked)));
                if (!still.isEmpty()) {
                    rows.deleteBlocked(connection, still);
                }
            }
        }
    }

    private int count(String key) {
        return counts.getOrDefault(key, 0);
    }

    private int places(String key) {
        Long pause = held.get(key);
        int places = pause == null ? most : pause > 0 ? 0 : 1;
        return Math.max(0, places - count(key));
    }

    private int room(String key) {
        return Math.min(Math.min(share, places(key)), releaseRate.room(key, waiting.getOrDefault(key, 0)));
    }

    /**
     * Schedules the next release of a key: when its pause ends, at once, or when its rate allows it. A key at its limit is released when a
     * job in flight has ended.
     */
    private void scheduleNext(String key) {
        Long pause = held.get(key);
        if (pause != null && pause > 0) {
            waits.put(key, Duration.of(pause, ChronoUnit.MICROS));
        } else if (places(key) > 0) {
            int wait = waiting.getOrDefault(key, 0);
            waits.put(key, releaseRate.room(key, wait) > 0 ? Duration.ZERO : releaseRate.untilRoom(key, wait));
        }
    }

    /**
     * @param anyLocked whether other transactions have locked due jobs, which are checked again after a moment
     */
    private void scheduleDelayed(List<String> spare, boolean anyLocked) throws SQLException {
        if (spare.isEmpty()) {
            return;
        }
        Map<String, Long> later = rows.untilNext(connection, queue, spare);
        for (String key : spare) {
            Long wait = later.get(key);
            if (wait != null) {
                waits.put(key, Duration.of(anyLocked ? Math.max(wait, RECHECK_MICROS) : wait, ChronoUnit.MICROS));
            } else if (count(key) == 0) {
                empty.add(key);
            }
        }
    }

    /**
     * Counts the jobs that run or may run at any moment. If jobs are ordered, a job keeps its place while it waits for a retry or its batch
     * is paused. Otherwise such a job makes room for another job until its time has come. During a pause of the key, available jobs become
     * blocked, and are released in their order after the pause.
     */
    private void countInFlight() throws SQLException {
        List<Long> ended = new ArrayList<>();
        Set<String> tried = new HashSet<>();
        List<KeyRows.ReleasedJob> all =
                new ArrayList<>(anyReleased ? rows.released(connection, queue, keys) : List.of());
        Set<Long> own = all.stream().map(KeyRows.ReleasedJob::id).collect(Collectors.toSet());
        inFlight.read(connection, queue, before).stream()
                .filter(one -> !own.contains(one.id())) // a job that was moved away and back is in both lists
                .forEach(all::add);
        for (KeyRows.ReleasedJob one : all) {
            Long pause = held.get(one.key());
            if (!one.isLive()) {
                tried.add(one.key());
                if (!one.isNamed()) {
                    ended.add(one.id());
                }
            } else if (one.isPaused() && !ordered) { // makes room; a resume puts it back in line
                if (!one.isNamed()) {
                    ended.add(one.id());
                }
            } else if (pause != null
                    && pause > 0
                    && one.isBehind(pause)
                    && rows.blockAgain(connection, queue, one.id())) {
                rows.blocked(connection, queue, one, ordered || one.waits() ? 0 : one.availableAt());
            } else if (!one.runs() && !ordered && rows.block(connection, queue, one.id())) {
                rows.blocked(connection, queue, one, one.availableAt());
            } else {
                counts.merge(one.key(), 1, Integer::sum);
                if (one.isNamed()) {
                    name(one.key(), one.id());
                }
                if (one.waits()) {
                    waiting.merge(one.key(), 1, Integer::sum);
                }
            }
        }
        for (List<Long> some : batches(ended)) {
            rows.deleteReleased(connection, some);
        }
        for (String key : tried) {
            if (held.getOrDefault(key, 1L) <= 0) {
                held.remove(key);
                recovered.add(key);
            }
        }
    }

    /**
     * {@return the released jobs that are in flight now} Jobs that were cancelled or otherwise finished while they were blocked are not in
     * flight.
     */
    private Set<Long> release(Map<String, List<Long>> next) throws SQLException {
        Set<Long> all = new HashSet<>();
        for (List<Long> some : batches(ids(next))) {
            deleteBlocked(release.release(connection, some, all));
        }
        blockRetries(next, all);
        record(next, all);
        return all;
    }

    /** Blocks jobs that were run before their release and now wait for a retry: like other retries, they make room. */
    private void blockRetries(Map<String, List<Long>> next, Set<Long> live) throws SQLException {
        Map<String, List<Long>> early = new HashMap<>();
        next.forEach((key, some) -> some.stream()
                .filter(release::isEarly)
                .forEach(id ->
                        early.computeIfAbsent(key, one -> new ArrayList<>()).add(id)));
        if (ordered || early.isEmpty()) {
            return;
        }
        List<Long> paused = new ArrayList<>();
        for (KeyRows.ReleasedJob one : inFlight.read(connection, queue, early)) {
            if (one.isPaused()) {
                paused.add(one.id());
                live.remove(one.id());
            } else if (one.isLive() && !one.runs() && rows.block(connection, queue, one.id())) {
                rows.blocked(connection, queue, one, one.availableAt());
                live.remove(one.id());
            }
        }
        for (List<Long> some : batches(paused)) {
            rows.deleteBlocked(connection, some);
        }
    }

    /** Records the released jobs: by their ids in the row of the key, as far as there is room, and the others in rows of their own. */
    private void record(Map<String, List<Long>> next, Set<Long> live) throws SQLException {
        List<Long> byName = new ArrayList<>();
        List<Long> byRow = new ArrayList<>();
        next.forEach((key, some) -> some.forEach(id -> {
            if (live.contains(id)) {
                (name(key, id) ? byName : byRow).add(id);
            }
        }));
        for (List<Long> some : batches(byName)) {
            rows.deleteBlocked(connection, some);
        }
        for (List<Long> some : batches(byRow)) {
            rows.markReleased(connection, some);
        }
    }

    private boolean name(String key, long id) {
        Set<Long> ids = named.computeIfAbsent(key, one -> new TreeSet<>());
        return ids.contains(id) || (ids.size() < InFlight.MAX && ids.add(id));
    }

    private static List<List<Long>> batches(List<Long> ids) {
        List<List<Long>> batches = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += BATCH) {
            batches.add(ids.subList(from, Math.min(ids.size(), from + BATCH)));
        }
        return batches;
    }
}
