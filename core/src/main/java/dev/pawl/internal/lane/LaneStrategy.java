package dev.pawl.internal.lane;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.enqueue.JobColumns;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.KeptStates;
import dev.pawl.internal.settle.RowVerbs;
import dev.pawl.internal.settle.SettleApart;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.EnqueuedJob;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.RunFence;
import dev.pawl.internal.store.RunMode;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims jobs of lanes by ranges, and all other jobs by another strategy. If anything but completion happens to a job
 * of a range, the job first gets a row of its own, by {@link Ranges#settle} or {@link #detach}. From then on the other
 * strategy is responsible for it.
 */
public final class LaneStrategy implements ClaimStrategy {
    private static final Logger LOG = LoggerFactory.getLogger(LaneStrategy.class);
    /** Limit of reads in a claim. If many jobs have unknown kinds, the claim returns the jobs that it has so far. */
    private static final int MAX_READS = 5;

    /** The limit of reads if only jobs of unknown kinds were found, and the limit of ranges that one call moves to rows. */
    private static final int MAX_FRUITLESS = 20;

    private static final int MAX_AT_ONCE = 1_000;

    private static final Duration MAX_SEARCH_TIME = Duration.ofSeconds(10);

    private static final long FORGOTTEN_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Database database;
    private final ClaimStrategy rows;
    private final Lanes lanes;
    private final LaneClaim claim;
    private final LaneHead head;
    private final ClaimSplit claimSplit;
    private final Ranges ranges;
    private final LaneFences fences;
    private final LateJobs lateJobs;
    private final HeldRanges held = new HeldRanges();
    private final RowKinds rowKinds = new RowKinds();
    /** Jobs of other kinds that could not be given rows. */
    private final Queue<Foreign> unmoved = new ConcurrentLinkedQueue<>();

    /** Ranges with jobs that handlers' transactions have completed. */
    private final Set<HeldRange> fenced = ConcurrentHashMap.newKeySet();

    /** Jobs of a range that this worker does not run. */
    private record Foreign(HeldRange range, BitSet places) {}

    /**
     * How runs are settled.
     *
     * @param verbs the operations that settle jobs with rows of their own
     * @param kept whether completed jobs are kept at all
     * @param completionHook writes further data when a job finishes
     */
    public record Settling(RowVerbs verbs, KeptStates kept, CompletionHook completionHook) {}

    /**
     * @param database the pool and the dialect
     * @param lanes of the database
     * @param rows for jobs with rows of their own
     * @param settling how runs are settled
     * @param own the database's faster way to claim from a lane; null for the common way
     * @param lateJobs searched every second
     */
    public LaneStrategy(
            Database database,
            Lanes lanes,
            ClaimStrategy rows,
            Settling settling,
            @Nullable OneStatementClaim own,
            LateJobs lateJobs) {
        this.database = database;
        this.rows = rows;
        this.lanes = lanes;
        this.lateJobs = lateJobs;
        this.claim = new LaneClaim(database, lanes, own);
        this.head = new LaneHead(database);
        this.fences = new LaneFences(database.dialect());
        this.ranges = new Ranges(database, settling.verbs, settling.kept, settling.completionHook);
        this.claimSplit = new ClaimSplit(database, lanes, rows, claim, this::fromLane);
    }

    @Override
    public List<Grant> claim(ClaimRequest request) throws SQLException {
        List<Grant> first = new ArrayList<>();
        List<Grant> others = claim(request, first::addAll);
        if (first.isEmpty()) {
            return others;
        }
        first.addAll(others);
        return first;
    }

    @Override
    public List<Grant> claim(ClaimRequest request, Consumer<List<Grant>> first) throws SQLException {
        return request.ofRows() ? rows.claim(request) : claimSplit.claim(request, first);
    }

    @Override
    public boolean leasesOtherKinds() {
        return true;
    }

    @Override
    public boolean claimsAtEnqueue() {
        return claim.canAppend();
    }

    @Override
    public @Nullable EnqueuedJob enqueue(JobRequest job, ClaimRequest request, BeforeEnqueue before)
            throws SQLException {
        if (lanes.isOlderThan(LaneAppend.OPEN_AGE)) {
            boolean unused = database.autocommit(connection -> {
                lanes.read(connection);
                return true;
            });
        }
        Lane lane = lanes.open(request.queue(), job.options().priority());
        if (lane == null || JobColumns.any(job.options()) || rowKinds.contains(job.kind())) {
            return null;
        }
        LaneClaim.Appended appended = claim.append(lane, job, request, before);
        if (appended == null) {
            return null;
        }
        LaneClaim.Won won = appended.won();
        if (won == null) {
            return new EnqueuedJob(appended.id(), List.of());
        }
        held.add(won);
        return new EnqueuedJob(appended.id(), won.grants());
    }

    private List<Grant> fromLane(Lane lane, ClaimRequest request) throws SQLException {
        List<Grant> claimed = new ArrayList<>();
        for (int reads = 0; reads < MAX_READS || (claimed.isEmpty() && reads < MAX_FRUITLESS); reads++) {
            int room = request.limit() - claimed.size();
            LaneClaim.Won won;
            try {
                won = claim.claim(lane, request.withLimit(room));
                if (won == null) {
                    break;
                }
                held.add(won);
                claimed.addAll(won.grants());
                moveForeign(won, List.of());
                detachRowKinds(won);
                if (won.range().ids().size() < room || claimed.size() == request.limit()) {
                    break;
                }
                if (won.grants().isEmpty()) {
                    moveUnknown(lane, request);
                }
            } catch (SQLException e) {
                if (claimed.isEmpty()) {
                    throw e;
                }
                LOG.debug("claimed only {} of {} jobs", claimed.size(), request.limit(), e);
                break;
            }
        }
        return claimed;
    }

    /**
     * Moves the jobs of unknown kinds at the head of a lane to rows, a thousand at a time. These jobs do not run here, so they are claimed
     * as prefetched jobs. Then no attempt is counted if this worker dies before they have rows.
     */
    private void moveUnknown(Lane lane, ClaimRequest request) throws SQLException {
        for (int moves = 0; moves < MAX_FRUITLESS; moves++) {
            int unknown = head.unknown(lane, request.kinds(), MAX_AT_ONCE);
            if (unknown == 0) {
                return;
            }
            LaneClaim.Won won = claim.claim(lane, request.withLimit(unknown).claimedAhead());
            if (won == null) {
                return;
            }
            held.add(won);
            // includes jobs of known kinds, if another worker has claimed the counted jobs
            moveForeign(won, won.grants());
            if (unknown < MAX_AT_ONCE) {
                return;
            }
        }
    }

    /**
     * Moves jobs of unknown kinds to rows, so that no worker reads them again in the lane. Workers that handle their
     * kinds claim the rows.
     */
    private void moveForeign(LaneClaim.Won won, List<Grant> tooMany) {
        if (won.foreign().isEmpty() && tooMany.isEmpty()) {
            return;
        }
        BitSet places = places(won.foreign());
        for (Grant grant : tooMany) {
            places.set(won.range().ids().positionOf(grant.job().id()));
            held.remove(grant.lease());
        }
        moveForeign(new Foreign(won.range(), places));
    }

    private void moveForeign(Foreign jobs) {
        HeldRange range = jobs.range;
        try {
            BitSet withRows = (BitSet) jobs.places.clone();
            withRows.andNot(ranges.release(range, jobs.places));
            releaseRows(range, Moves.at(range.ids(), withRows));
        } catch (SQLException e) {
            LOG.debug("{} job(s) of other kinds are given away later", jobs.places.cardinality(), e);
            unmoved.add(jobs);
        }
    }

    /**
     * Releases jobs that a user has moved out of the range to cancel them. Until their lease expires, only this worker
     * can release them.
     */
    private void releaseRows(HeldRange range, List<Long> jobs) throws SQLException {
        if (!jobs.isEmpty()) {
            Settled unused = rows.settle(jobs.stream()
                    .map(id -> new Settlement(range.lease(id), new Verdict.Release()))
                    .toList());
        }
    }

    /** Gives rows together to the jobs that will need rows, because otherwise they would move one by one when they run. */
    private void detachRowKinds(LaneClaim.Won won) {
        if (rowKinds.isEmpty()) {
            return;
        }
        BitSet places = won.range().positionsOf(rowKinds::contains);
        won.foreign().forEach(places::clear);
        if (places.isEmpty()) {
            return;
        }
        try {
            detach(won.range(), places);
        } catch (SQLException e) {
            LOG.debug("{} job(s) leave their lane one by one, as they run", places.cardinality(), e);
        }
    }

    /** {@return the positions of the jobs that have rows now} */
    private BitSet detach(HeldRange range, BitSet places) throws SQLException {
        BitSet detached = ranges.detach(range, places);
        for (long id : Moves.at(range.ids(), detached)) {
            held.remove(range.lease(id));
        }
        return detached;
    }

    private static BitSet places(List<Integer> of) {
        BitSet places = new BitSet();
        of.forEach(places::set);
        return places;
    }

    @Override
    public Settled settle(List<Settlement> runs) throws SQLException {
        List<Settlement> inRanges = new ArrayList<>(runs.size());
        List<Settlement> others = new ArrayList<>();
        Map<HeldRange, List<Settlement>> byRange = new HashMap<>();
        HeldRange before = null;
        List<Settlement> ofRange = List.of();
        for (Settlement run : runs) {
            HeldRange range = held.of(run.lease());
            if (range == null) {
                others.add(run);
                continue;
            }
            if (!range.equals(before)) { // most jobs have the range of the previous one
                ofRange = byRange.computeIfAbsent(range, each -> new ArrayList<>());
                before = range;
            }
            inRanges.add(run);
            ofRange.add(run);
        }
        if (inRanges.isEmpty()) {
            return settleRows(others);
        }
        // Ranges first, because settling them may be repeated. A bit that is already set was set for this worker.
        Settled settled = SettleApart.settle(
                inRanges, some -> ranges.settle(some.size() == inRanges.size() ? byRange : only(some, byRange)));
        if (!others.isEmpty()) {
            settled = both(settled, settleRows(others));
        }
        Set<Lease> locked = settled.locked();
        byRange.forEach((range, some) -> {
            if (held.remove(range, ended(range, some, locked)) && fenced.contains(range)) {
                setFencedBits(range);
            }
        });
        return settled;
    }

    private Settled settleRows(List<Settlement> runs) throws SQLException {
        Settled settled = rows.settle(runs);
        List<Lease> refused = new ArrayList<>();
        for (Settlement run : runs) {
            if (!settled.accepted().contains(run.lease()) && !settled.locked().contains(run.lease())) {
                refused.add(run.lease());
            }
        }
        Set<Lease> inLane = withoutRows(refused);
        return inLane.isEmpty()
                ? settled
                : both(
                        settled,
                        settle(runs.stream()
                                .filter(run -> inLane.contains(run.lease()))
                                .toList()));
    }

    private static BitSet ended(HeldRange range, List<Settlement> runs, Set<Lease> locked) {
        BitSet places = new BitSet();
        for (Settlement run : runs) {
            if (locked.isEmpty() || !locked.contains(run.lease())) {
                places.set(range.ids().positionOf(run.lease().jobId()));
            }
        }
        return places;
    }

    private static Map<HeldRange, List<Settlement>> only(
            List<Settlement> some, Map<HeldRange, List<Settlement>> byRange) {
        Set<Settlement> wanted = new HashSet<>(some);
        Map<HeldRange, List<Settlement>> only = new HashMap<>();
        byRange.forEach((range, runs) -> {
            List<Settlement> ofRange = runs.stream().filter(wanted::contains).toList();
            if (!ofRange.isEmpty()) {
                only.put(range, ofRange);
            }
        });
        return only;
    }

    private static Settled both(Settled one, Settled other) {
        return new Settled(both(one.accepted(), other.accepted()), both(one.locked(), other.locked()));
    }

    @Override
    public Renewal renew(Collection<LeaseRenewal> leases, Duration length) throws SQLException {
        Map<HeldRange, List<Lease>> inRanges = new HashMap<>();
        Map<HeldRange, List<LeaseRenewal>> toDetach = new HashMap<>();
        List<LeaseRenewal> others = new ArrayList<>();
        for (LeaseRenewal one : leases) {
            HeldRange range = held.of(one.lease());
            if (range == null || range.hasMoved(placeIn(range, one))) {
                others.add(one);
            } else if ((one.progress() != null || range.isOld())
                    && !range.inTransaction().get(placeIn(range, one))) {
                // A range cannot store progress, and a range that stays open for long prevents later ones from being
                // pruned.
                toDetach.computeIfAbsent(range, each -> new ArrayList<>()).add(one);
            } else {
                inRanges.computeIfAbsent(range, each -> new ArrayList<>()).add(one.lease());
            }
        }
        Duration limit = Ranges.limit(length);
        boolean reachable = true;
        for (Map.Entry<HeldRange, List<LeaseRenewal>> each : toDetach.entrySet()) {
            HeldRange range = each.getKey();
            BitSet left = reachable ? left(range, each.getValue(), limit) : null;
            reachable = left != null; // a second wait could cost another quarter of the lease
            for (LeaseRenewal one : each.getValue()) {
                if (left != null && left.get(placeIn(range, one))) {
                    others.add(one);
                } else {
                    // the lease matters more than the progress, and a renewal by row would report the job as lost
                    inRanges.computeIfAbsent(range, every -> new ArrayList<>()).add(one.lease());
                }
            }
        }
        Set<Lease> renewed = new HashSet<>();
        if (!inRanges.isEmpty()) {
            List<Lease> withRows = ranges.renew(inRanges, length, renewed);
            withRows.forEach(lease -> others.add(new LeaseRenewal(lease, null)));
        }
        if (others.isEmpty()) {
            return new Renewal(renewed, Set.of(), Set.of(), Set.of());
        }
        Renewal ofRows = rows.renew(others, length);
        renewed.addAll(ofRows.renewed());
        Renewal some = new Renewal(renewed, ofRows.taken(), Set.of(), ofRows.cancelRequested());
        return ofRows.gone().isEmpty() ? some : both(some, renewMissing(ofRows.gone(), length));
    }

    private Renewal renewMissing(Set<Lease> leases, Duration length) {
        try {
            Set<Lease> inLane = withoutRows(leases, Ranges.limit(length));
            Set<Lease> missing = new HashSet<>(leases);
            missing.removeAll(inLane);
            Renewal none = new Renewal(Set.of(), Set.of(), missing, Set.of());
            return inLane.isEmpty() ? none : both(none, renew(withoutProgress(inLane), length));
        } catch (SQLException e) { // must not prevent the renewal of the other leases
            LOG.debug("{} job(s) without rows are looked for at the next renewal", leases.size(), e);
            return new Renewal(Set.of(), Set.of(), Set.of(), Set.of());
        }
    }

    private static List<LeaseRenewal> withoutProgress(Set<Lease> leases) {
        return leases.stream().map(lease -> new LeaseRenewal(lease, null)).toList();
    }

    private static Renewal both(Renewal one, Renewal other) {
        return new Renewal(
                both(one.renewed(), other.renewed()),
                both(one.taken(), other.taken()),
                both(one.gone(), other.gone()),
                both(one.cancelRequested(), other.cancelRequested()));
    }

    private static Set<Lease> both(Set<Lease> some, Set<Lease> others) {
        Set<Lease> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    private static int placeIn(HeldRange range, LeaseRenewal one) {
        return range.ids().positionOf(one.lease().jobId());
    }

    /** {@return the positions of jobs that have rows of their own, or are done or lost; null if the database fails} */
    private @Nullable BitSet left(HeldRange range, List<LeaseRenewal> some, Duration limit) {
        BitSet places = new BitSet();
        some.forEach(one -> places.set(placeIn(range, one)));
        try {
            BitSet left = ranges.detach(range, places, limit);
            places.stream().filter(place -> !range.isLeft(place)).forEach(left::set);
            return left;
        } catch (SQLException e) { // must not prevent the renewal of the other leases
            LOG.warn("{} job(s) cannot leave their lane now: {}", some.size(), e.getMessage());
            return null;
        }
    }

    @Override
    public Set<Lease> release(Collection<Lease> unstarted) throws SQLException {
        Map<HeldRange, BitSet> inRanges = new HashMap<>();
        List<Lease> others = new ArrayList<>();
        for (Lease lease : unstarted) {
            HeldRange range = held.of(lease);
            if (range == null) {
                others.add(lease);
            } else {
                inRanges.computeIfAbsent(range, each -> new BitSet())
                        .set(range.ids().positionOf(lease.jobId()));
            }
        }
        Set<Lease> released = new HashSet<>();
        for (Map.Entry<HeldRange, BitSet> each : inRanges.entrySet()) {
            BitSet done = ranges.release(each.getKey(), each.getValue());
            for (long id : Moves.at(each.getKey().ids(), each.getValue())) {
                Lease lease = each.getKey().lease(id);
                held.remove(lease);
                if (done.get(each.getKey().ids().positionOf(id))) {
                    released.add(lease);
                } else {
                    others.add(lease); // another transaction has moved the job, which may have a row by now
                }
            }
        }
        if (!others.isEmpty()) {
            released.addAll(rows.release(others));
            others.removeAll(released);
            Set<Lease> inLane = withoutRows(others);
            if (!inLane.isEmpty()) {
                released.addAll(release(inLane));
            }
        }
        return released;
    }

    /** Finds jobs that were moved to rows and are in their ranges again, because the server has lost that commit. */
    @Override
    public Set<Lease> withoutRows(Collection<Lease> missing) throws SQLException {
        return withoutRows(missing, MAX_SEARCH_TIME);
    }

    private Set<Lease> withoutRows(Collection<Lease> missing, Duration limit) throws SQLException {
        Map<HeldRange, BitSet> byRange = new HashMap<>();
        for (Lease lease : missing) {
            if (lease.of() instanceof HeldRange range) {
                byRange.computeIfAbsent(range, each -> new BitSet())
                        .set(range.ids().positionOf(lease.jobId()));
            }
        }
        Set<Lease> found = new HashSet<>();
        for (Map.Entry<HeldRange, BitSet> each : byRange.entrySet()) {
            HeldRange range = each.getKey();
            BitSet open = ranges.open(range, each.getValue(), limit);
            held.holdAgain(range, open);
            Moves.at(range.ids(), open).forEach(id -> found.add(range.lease(id)));
        }
        return found;
    }

    /**
     * Gives a running job a row. The other jobs of its kind in the range get rows, too, because they will need rows. But if the job had a
     * transaction with a fence, which is rare, only this job moves. The move must be committed before any transaction locks the new row.
     */
    @Override
    public boolean detach(Lease lease) throws SQLException {
        HeldRange range = held.of(lease);
        if (range == null) {
            return rows.detach(lease);
        }
        int place = range.ids().positionOf(lease.jobId());
        String kind = range.kind(place);
        BitSet places = new BitSet();
        if (range.hadTransaction(place)) {
            places.set(place);
        } else {
            rowKinds.learn(kind);
            places.or(range.positionsOf(kind::equals));
        }
        range.moving().lock(); // otherwise all handlers of a kind that start together would lock the range in turn
        try {
            if (held.of(lease) == null) {
                return rows.detach(lease);
            }
            boolean detached = detach(range, places).get(place);
            held.remove(lease);
            return detached;
        } finally {
            range.moving().unlock();
        }
    }

    @Override
    public @Nullable RunFence fence(Lease lease) {
        HeldRange range = held.of(lease);
        return range == null || !range.beginTransaction(range.ids().positionOf(lease.jobId()))
                ? null
                : new Fence(range, lease.jobId());
    }

    private final class Fence implements RunFence {
        private final HeldRange range;
        private final long job;

        Fence(HeldRange range, long job) {
            this.range = range;
            this.job = job;
        }

        @Override
        public boolean write(Connection connection) throws SQLException {
            return fences.complete(connection, range, job);
        }

        @Override
        public boolean isIntact(Connection connection) throws SQLException {
            return fences.isWritten(connection, range, job);
        }

        @Override
        public void end(boolean committed) {
            int place = range.ids().positionOf(job);
            range.endTransaction(place);
            if (committed) {
                fenced.add(range);
                BitSet places = new BitSet();
                places.set(place);
                if (held.remove(range, places)) {
                    setFencedBits(range);
                }
            }
        }
    }

    /**
     * Sets the bits of jobs that handlers' transactions have completed. Called when the worker's last job of the range has ended, and once
     * a second.
     */
    private void setFencedBits(HeldRange range) {
        fenced.remove(range); // before the bits are read: a later transaction adds the range again
        try {
            if (!ranges.setFencedBits(range)) {
                fenced.add(range);
            }
        } catch (SQLException | RuntimeException e) { // the jobs are completed nevertheless, also for the caller
            fenced.add(range);
            LOG.debug(
                    "the bits of completed jobs in lane {} are set later",
                    range.key().lane(),
                    e);
        }
    }

    @Override
    public RunMode mode() {
        return rows.mode();
    }

    @Override
    public Duration lease(Duration configured) {
        return rows.lease(configured);
    }

    @Override
    public void tidy() throws SQLException {
        List.copyOf(fenced).forEach(this::setFencedBits);
        List<Foreign> again = List.copyOf(unmoved);
        unmoved.removeAll(again);
        again.forEach(this::moveForeign);
        held.forget(FORGOTTEN_NANOS);
        rows.tidy();
        int unused = lateJobs.find();
    }

    @Override
    public long lost() {
        return claim.lost() + rows.lost();
    }

    /** {@return whether the run is completed, which is the usual outcome} */
    static boolean isCompleted(Settlement run) {
        return run.verdict() instanceof Verdict.Completed;
    }
}
