package dev.pawl.internal.key;

import dev.pawl.internal.claim.ClaimById;
import dev.pawl.internal.claim.ReadBack;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobKey;
import dev.pawl.limit.PausedKey;
import dev.pawl.limit.Rate;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Releases jobs with concurrency keys, whose state is in rows of {@code pawl_key} and {@code pawl_keyed}. */
public final class SqlKeys implements ConcurrencyKeys {
    private static final Duration SOON = Duration.ofMillis(50);
    private static final int MANY_KEYS = 1_000;
    private static final int SOME_KEYS = 500;
    private static final int FEW_KEYS = 100;

    private final Database database;
    private final KeySearch search;
    private final KeyLocks locks;
    private final KeyRows rows;
    private final InFlight inFlight;
    private final KeyRates rates;
    private final PausedKeys pausedKeys;
    private final KeyTraces traces;
    private final @Nullable ClaimById claim;

    /**
     * For callers that claim nothing.
     *
     * @param database the pool and the dialect
     */
    public SqlKeys(Database database) {
        this(database, null);
    }

    /**
     * @param database the pool and the dialect
     * @param claim claims jobs that it releases; null to claim none
     */
    public SqlKeys(Database database, @Nullable ClaimById claim) {
        this.claim = claim;
        this.database = database;
        this.search = new KeySearch(database.dialect());
        this.locks = new KeyLocks(database.dialect());
        this.rows = new KeyRows(database.dialect());
        this.inFlight = new InFlight(database.dialect());
        this.rates = new KeyRates(database.dialect());
        this.pausedKeys = new PausedKeys(database.dialect());
        this.traces = new KeyTraces(database.dialect());
    }

    /**
     * {@return whether the key has waiting jobs or a row of its own, such as while its jobs are released or it is paused} Reads indexes
     * only.
     *
     * @param key the key
     * @throws SQLException from the driver
     */
    public boolean isKnown(JobKey key) throws SQLException {
        return database.autocommit(connection -> search.isKnown(connection, key));
    }

    @Override
    public long newestBlocked() throws SQLException {
        return database.autocommit(search::newestBlocked);
    }

    @Override
    public Blocked blockedAfter(Collection<String> queues, long after) throws SQLException {
        List<KeySearch.Blocked> blocked = database.autocommit(connection ->
                search.newestBlocked(connection) > after ? search.blockedAfter(connection, after) : List.of());
        Set<JobKey> keys = new LinkedHashSet<>();
        long last = after;
        for (KeySearch.Blocked one : blocked) {
            last = one.id();
            if (queues.contains(one.key().queue())) {
                keys.add(one.key());
            }
        }
        return new Blocked(keys, last, blocked.size() < KeySearch.MAX);
    }

    @Override
    public Ready ready(String queue, String after) throws SQLException {
        return database.autocommit(
                connection -> search.ready(connection, queue, after, rows.terms(connection, queue, Set.of())));
    }

    @Override
    public List<JobKey> ended(String queue) throws SQLException {
        return database.autocommit(connection -> search.ended(connection, queue));
    }

    @Override
    public void forgetEmpty(String queue) throws SQLException {
        SortedSet<String> empty = database.autocommit(connection -> new TreeSet<>(locks.empty(connection, queue)));
        if (!empty.isEmpty()) {
            int unused = database.transaction(connection -> {
                SortedSet<String> locked = locks.lockIdle(connection, queue, empty);
                if (!locked.isEmpty()) {
                    locked.removeAll(rows.keysWithJobs(connection, queue, locked));
                    if (!locked.isEmpty()) {
                        int unusedCount = locks.forget(connection, queue, locked);
                    }
                }
                return locked.size();
            });
        }
    }

    @Override
    public Released releaseJobs(Collection<JobKey> keys, Map<String, ClaimRequest> wanted) throws SQLException {
        SortedMap<String, SortedSet<String>> byQueue = new TreeMap<>();
        keys.forEach(each ->
                byQueue.computeIfAbsent(each.queue(), queue -> new TreeSet<>()).add(each.key()));
        List<Grant> claimed = new ArrayList<>();
        try {
            return database.transaction(connection -> {
                claimed.clear();
                if (claim == null || wanted.isEmpty()) {
                    // a crash may lose the commit: the jobs are then still blocked, because later claims of them are
                    // lost, too
                    database.dialect().mayBeLost(connection);
                }
                return release(connection, byQueue, wanted, claimed);
            });
        } catch (SQLException e) {
            if (claimed.isEmpty()) {
                throw e;
            }
            List<Grant> ours = readBack(wanted, claimed, e);
            if (ours.isEmpty()) {
                throw e;
            }
            Map<JobKey, Duration> again = new HashMap<>();
            keys.forEach(key -> again.put(key, SOON));
            return new Released(byQueue.keySet(), again, ours);
        }
    }

    /** Reads which claims are in the database: the commit may have succeeded although its reply was lost. */
    private List<Grant> readBack(Map<String, ClaimRequest> wanted, List<Grant> claimed, SQLException failure)
            throws SQLException {
        try {
            return ReadBack.withRetry(
                    database,
                    wanted.values().iterator().next().workerId(),
                    claimed.stream().map(Grant::lease).toList());
        } catch (SQLException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    /** Locks keys in the order that all transactions use, although this one skips locked keys instead of waiting. */
    private Released release(
            Connection connection,
            SortedMap<String, SortedSet<String>> byQueue,
            Map<String, ClaimRequest> wanted,
            List<Grant> claimed)
            throws SQLException {
        Set<String> queues = new HashSet<>();
        Map<JobKey, Duration> again = new HashMap<>();
        for (Map.Entry<String, SortedSet<String>> each : byQueue.entrySet()) {
            String queue = each.getKey();
            KeyLocks.Locked ours = locks.lock(connection, queue, each.getValue());
            SortedSet<String> locked = ours.keys();
            for (String key : each.getValue()) {
                if (!locked.contains(key)) {
                    again.put(new JobKey(queue, key), SOON);
                }
            }
            if (!locked.isEmpty()) {
                KeyRows.Terms terms = rows.terms(connection, queue, locked);
                Rate rate = terms.rate();
                ReleaseRate releaseRate = rate == null
                        ? ReleaseRate.NONE
                        : new ReleaseRate(rate, rates.left(connection, queue, locked, rate));
                Release release = new Release(rows, queue, claim, wanted.get(queue));
                KeyRelease keyRelease = new KeyRelease(
                        new KeyRelease.Tables(rows, inFlight), release, connection, queue, ours, terms, releaseRate);
                keyRelease.run();
                if (release.isMoreToClaim()) {
                    queues.add(queue);
                }
                claimed.addAll(release.claimed());
                int unused = pausedKeys.resume(connection, queue, keyRelease.recovered(), rate);
                rates.nextRelease(connection, queue, releaseRate.next());
                keyRelease.waits().forEach((key, wait) -> again.put(new JobKey(queue, key), wait));
                forget(connection, queue, keyRelease.empty());
            }
        }
        return new Released(queues, again, List.copyOf(claimed));
    }

    /** Deletes the rows of keys without jobs. A row that stays records that no job of its key is in flight any more. */
    private void forget(Connection connection, String queue, List<String> keys) throws SQLException {
        if (!keys.isEmpty() && locks.forget(connection, queue, keys) < keys.size()) {
            inFlight.clear(connection, queue, keys);
        }
    }

    /**
     * A database in the process gets fewer keys at a time, because no other thread can write during a release. MySQL and MariaDB get even
     * fewer: if a statement names a large part of a queue's keys, their planners read all keys of the queue instead, and lock them for a
     * moment.
     */
    @Override
    public int maxKeys() {
        if (database.dialect().isInProcess()) {
            return SOME_KEYS;
        }
        return database.dialect().takesLists() ? MANY_KEYS : FEW_KEYS;
    }

    @Override
    public boolean areFasterInParallel() {
        return !database.dialect().isInProcess(); // a database in the process has one writer at a time
    }

    @Override
    public void unavailable(JobKey key, Duration wait, String reason) throws SQLException {
        database.transaction(connection -> {
            pausedKeys.unavailable(connection, key, wait, reason);
            return true;
        });
    }

    /**
     * Pauses the jobs of a key on request, in one transaction. Released jobs that do not run yet are paused, too.
     *
     * @param key the key
     * @param length for how long
     * @param reason for people
     * @throws SQLException from the driver
     */
    public void pause(JobKey key, Duration length, String reason) throws SQLException {
        Released unused = database.transaction(connection -> {
            pausedKeys.pause(connection, key, length, reason, rates.rate(connection, key.queue()));
            return releaseJobs(connection, key);
        });
    }

    private Released releaseJobs(Connection connection, JobKey key) throws SQLException {
        SortedMap<String, SortedSet<String>> one = new TreeMap<>(Map.of(key.queue(), new TreeSet<>(Set.of(key.key()))));
        return release(connection, one, Map.of(), new ArrayList<>());
    }

    /**
     * @param key of a queue
     * @return false if its jobs were not paused
     * @throws SQLException from the driver
     */
    public boolean resume(JobKey key) throws SQLException {
        boolean resumed = database.transaction(connection ->
                pausedKeys.resume(connection, key.queue(), List.of(key.key()), rates.rate(connection, key.queue()))
                        > 0);
        if (resumed) {
            Released unused = releaseJobs(List.of(key));
        }
        return resumed;
    }

    /**
     * Called when jobs of keys were erased: deletes the rows of these keys, too, unless some of their jobs are live. The rate of such a key
     * begins anew. A paused key keeps its row until the pause is over.
     *
     * @param keys to erase, in all queues
     * @param queues tells in which queues they are erased
     * @throws SQLException from the driver
     */
    public void erase(Collection<String> keys, Predicate<String> queues) throws SQLException {
        SortedMap<String, SortedSet<String>> byQueue = new TreeMap<>();
        for (JobKey key : database.autocommit(connection -> traces.find(connection, keys))) {
            if (queues.test(key.queue())) {
                byQueue.computeIfAbsent(key.queue(), queue -> new TreeSet<>()).add(key.key());
            }
        }
        for (Map.Entry<String, SortedSet<String>> each : byQueue.entrySet()) {
            int unused = database.transaction(connection -> traces.erase(connection, each.getKey(), each.getValue()));
        }
    }

    /** {@return keys whose jobs are paused, by queue and key; 1,000 at most} */
    public List<PausedKey> held() throws SQLException {
        return database.autocommit(pausedKeys::list);
    }

    @Override
    public Map<String, Allocation> starts(String queue, List<KeyRequest> requests) throws SQLException {
        SortedMap<String, KeyRequest> byKey = new TreeMap<>();
        requests.forEach(request -> byKey.put(request.key(), request));
        return database.transaction(connection -> {
            Rate rate = rates.rate(connection, queue);
            if (rate != null) {
                return rates.allocate(connection, queue, byKey, rate);
            }
            Map<String, Allocation> any = new HashMap<>();
            byKey.keySet().forEach(key -> any.put(key, Allocation.UNLIMITED));
            return any;
        });
    }
}
