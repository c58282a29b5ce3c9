package dev.pawl.internal.lane;

import dev.pawl.api.Job;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits a claim between the jobs of lanes and those with rows of their own. Smaller priorities go first, wherever the
 * jobs are stored. Within one priority each side gets half of a claim while both have enough, so that new jobs do not
 * delay retries, nor retries new jobs. Thread-safe.
 */
final class ClaimSplit {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimSplit.class);

    /** Minimum interval between reads of an empty table of rows while lanes are full. */
    private static final long READ_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long MAX_READ_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Limits these reads to about one 32nd of the time, because a read takes as long as a small claim. */
    private static final int PART = 32;

    /** Maximum time between an idle worker's reads of the lane of another node. */
    private static final long OTHERS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Maximum time between such reads while this node has jobs of its own. */
    private static final long OTHERS_BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** How long the lane of another node is not read after a read has failed. */
    private static final long FAILED_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Duration LANES_AGE = Duration.ofMillis(200);
    private static final Duration LANES_AGE_AT_MOST = Duration.ofSeconds(5);
    /** After this number of new jobs with rows of their own, a priority gets a lane. */
    private static final int WORTH_A_LANE = 100;

    private final Database database;
    private final Lanes lanes;
    private final ClaimStrategy rows;
    private final Waiting waiting;
    private final FromLane fromLane;
    /** About when the lanes of other nodes were read last; by lane. */
    private final Map<Integer, Long> othersNanos = new ConcurrentHashMap<>();

    private final Map<String, Side> sides = new ConcurrentHashMap<>();

    ClaimSplit(Database database, Lanes lanes, ClaimStrategy rows, Waiting waiting, FromLane fromLane) {
        this.database = database;
        this.lanes = lanes;
        this.rows = rows;
        this.waiting = waiting;
        this.fromLane = fromLane;
    }

    /** Tells whether workers of this node should claim jobs from the lane of another node. */
    interface Waiting {
        /** {@return whether an idle worker should claim them} */
        boolean forIdleWorker(Lane lane) throws SQLException;

        /**
         * {@return whether a worker that has jobs of its own node should claim them}
         *
         * @param ownMicros how long the jobs of its own node have waited, in microseconds
         */
        boolean forABusyOne(Lane lane, long ownMicros) throws SQLException;
    }

    /** Claims from a lane. */
    @FunctionalInterface
    interface FromLane {
        List<Grant> claim(Lane lane, ClaimRequest request) throws SQLException;
    }

    /** State of the rows of one queue. */
    private static final class Side {
        volatile long readNanos = System.nanoTime();
        volatile boolean rowsFirst;
        /**
         * Whether the last claim got all jobs that it requested. If not, no job was kept waiting, and one read of the rows may be skipped.
         */
        volatile boolean wasFull = true;
        /** How long the job claimed last from this node's lane had waited, in microseconds, by priority. */
        final Map<Integer, Long> waitMicros = new ConcurrentHashMap<>();
        /** New jobs by priority, for priorities without a lane. */
        final Map<Integer, Integer> newJobs = new ConcurrentHashMap<>();

        boolean isReadDue() {
            return System.nanoTime() - readNanos >= 0;
        }

        /** Records that a read, which began at this time, found no rows. */
        void empty(long sinceNanos) {
            long now = System.nanoTime();
            readNanos = now + Math.min(MAX_READ_NANOS, Math.max(READ_NANOS, PART * (now - sinceNanos)));
        }
    }

    /**
     * @param first gets jobs as soon as they are claimed, if further places have to be searched
     * @return the claimed jobs that were not passed to {@code first}
     */
    List<Grant> claim(ClaimRequest request, Consumer<List<Grant>> first) throws SQLException {
        ensureLanes(request.queue());
        Side side = sides.computeIfAbsent(request.queue(), queue -> new Side());
        Claimed claimed = new Claimed(first);
        try {
            claim(request, side, claimed);
            side.wasFull = claimed.jobs.size() >= request.limit();
            openOthers(request.queue(), side, claimed.jobs);
        } catch (SQLException e) {
            if (claimed.jobs.isEmpty()) {
                throw e;
            }
        }
        return claimed.others();
    }

    /** The jobs of one claim, some of which may have been passed on. */
    private static final class Claimed {
        final List<Grant> jobs = new ArrayList<>();
        private final Consumer<List<Grant>> first;
        private int passedOn;

        Claimed(Consumer<List<Grant>> first) {
            this.first = first;
        }

        void passOn() {
            List<Grant> others = others();
            if (!others.isEmpty()) {
                passedOn = jobs.size();
                first.accept(others);
            }
        }

        List<Grant> others() {
            return List.copyOf(jobs.subList(passedOn, jobs.size()));
        }
    }

    private void claim(ClaimRequest request, Side side, Claimed passing) throws SQLException {
        List<Grant> claimed = passing.jobs;
        for (Lane lane : lanes.ofNode(request.queue())) {
            int left = request.limit() - claimed.size();
            if (left <= 0) {
                return;
            }
            passing.passOn();
            int before = claimed.size();
            help(lane, request.withLimit((left + 1) / 2), side, passing);
            passing.passOn();
            share(lane, request, left - (claimed.size() - before), side, passing);
        }
        int left = request.limit() - claimed.size();
        if (left > 0) {
            passing.passOn();
            claimed.addAll(rows.claim(request.withLimit(left)));
        }
        for (Lane lane : lanes.ofOthers(request.queue())) {
            if (claimed.isEmpty() && isDue(lane, OTHERS_NANOS)) {
                help(lane, request, claimed);
            }
        }
        if (claimed.isEmpty() && lanes.isOlderThan(LANES_AGE)) {
            readLanes();
        }
    }

    /** {@return whether the last read of the lane of another node is at least this long ago} */
    private boolean isDue(Lane lane, long nanos) {
        Long last = othersNanos.get(lane.id());
        return last == null || System.nanoTime() - last >= nanos;
    }

    /** Records a read with a random time, up to half an interval in the past, so that workers do not read the lane at the same time. */
    private void markRead(Lane lane, long nanos) {
        othersNanos.put(
                lane.id(), System.nanoTime() - ThreadLocalRandom.current().nextLong(nanos / 2));
    }

    /** Claims jobs of another node, whose workers are busy or gone. If it claims no job, the next read follows after a random time. */
    private void help(Lane lane, ClaimRequest request, List<Grant> claimed) throws SQLException {
        markRead(lane, OTHERS_NANOS);
        List<Grant> some = claimOfOther(lane, request, () -> waiting.forIdleWorker(lane));
        claimed.addAll(some);
        if (!some.isEmpty()) {
            othersNanos.remove(lane.id());
        }
    }

    /**
     * Claims jobs of other nodes before jobs of this node's lane, because the jobs of other nodes would otherwise wait until this node has
     * no more jobs. Claims from each lane of another node a few times a second at most, because claims of two nodes from one lane wait for
     * each other. If such a lane cannot be read, this node still claims its own jobs.
     */
    private void help(Lane own, ClaimRequest request, Side side, Claimed passing) throws SQLException {
        if (lanes.node() == 0) {
            return;
        }
        int left = request.limit();
        for (Lane lane : lanes.ofOthers(own.queue())) {
            if (left > 0 && lane.priority() <= own.priority() && isDue(lane, OTHERS_BUSY_NANOS)) {
                markRead(lane, OTHERS_BUSY_NANOS);
                List<Grant> some = claimOfOther(
                        lane,
                        request.withLimit(left),
                        () -> waiting.forABusyOne(lane, side.waitMicros.getOrDefault(lane.priority(), 0L)));
                passing.jobs.addAll(some);
                passing.passOn();
                left -= some.size();
            }
        }
    }

    /** Reads whether jobs of another node wait for a worker of this node. */
    @FunctionalInterface
    private interface Check {
        boolean areWaiting() throws SQLException;
    }

    private List<Grant> claimOfOther(Lane lane, ClaimRequest request, Check check) throws SQLException {
        try {
            return check.areWaiting() ? fromLane.claim(lane, request) : List.of();
        } catch (SQLException e) {
            if (Fault.of(e).isOutage()) {
                throw e;
            }
            othersNanos.put(lane.id(), System.nanoTime() + FAILED_NANOS);
            LOG.warn("cannot claim jobs of queue '{}' that another node has enqueued", lane.queue(), e);
            return List.of();
        }
    }

    /** Claims from a lane, and rows of smaller or equal priority values. The claim from the lane may wait for other claims. */
    private void share(Lane lane, ClaimRequest request, int room, Side side, Claimed passing) throws SQLException {
        List<Grant> claimed = passing.jobs;
        int left = room;
        ClaimRequest upTo = request.upTo(lane.priority());
        int half = side.rowsFirst ? (left + 1) / 2 : left / 2;
        side.rowsFirst = !side.rowsFirst;
        List<Grant> ofRows = List.of();
        if (half > 0 && side.wasFull && side.isReadDue()) {
            long begun = System.nanoTime();
            ofRows = rows.claim(upTo.withLimit(half));
            claimed.addAll(ofRows);
            if (half < left
                    && ofRows.size() == half
                    && ofRows.get(half - 1).job().priority() < lane.priority()) {
                // equal priorities share the request; more urgent rows are all claimed first
                List<Grant> urgent =
                        rows.claim(request.upTo(lane.priority() - 1).withLimit(left - half));
                claimed.addAll(urgent);
                left -= urgent.size();
            }
            if (ofRows.isEmpty()) {
                side.empty(begun);
            }
        }
        if (left == ofRows.size()) {
            return;
        }
        passing.passOn();
        List<Grant> ofLane = fromLane.claim(lane, request.withLimit(left - ofRows.size()));
        claimed.addAll(ofLane);
        if (lanes.node() != 0) {
            long micros = ofLane.isEmpty() ? 0 : wait(ofLane.get(0).job());
            // no jobs: the lane is empty, or other workers claim from it
            side.waitMicros.merge(lane.priority(), micros, (before, now) -> ofLane.isEmpty() ? before / 2 : now);
        }
        int rest = left - ofRows.size() - ofLane.size();
        if (rest > 0 && !ofRows.isEmpty()) {
            claimed.addAll(rows.claim(upTo.withLimit(rest)));
        }
    }

    private static long wait(Job job) {
        Instant claimed = job.startedAt();
        return claimed == null ? 0 : ChronoUnit.MICROS.between(job.createdAt(), claimed);
    }

    /** Opens the lanes that a queue with a worker needs: for the default priority, and for priorities with lanes on other nodes. */
    private void ensureLanes(String queue) throws SQLException {
        if (lanes.isOlderThan(LANES_AGE_AT_MOST)) {
            readLanes();
        }
        if (lanes.anyLost()) {
            openAndRead(lanes::reopenLost);
        }
        if (lanes.ofNode(queue).isEmpty()) {
            open(queue, 0);
        }
        for (Lane lane : lanes.ofOthers(queue)) {
            if (lane.isOpen() && !hasLane(queue, lane.priority())) {
                open(queue, lane.priority());
            }
        }
    }

    /** Opens a lane for each other priority that many new jobs have. */
    private void openOthers(String queue, Side side, List<Grant> claimed) throws SQLException {
        int withLane = 0;
        for (Grant grant : claimed) {
            Job job = grant.job();
            if (job.priority() == withLane
                    || job.attempt() > 1
                    || !job.availableAt().equals(job.createdAt())) {
                continue;
            }
            if (hasLane(queue, job.priority())) {
                withLane = job.priority();
            } else if (side.newJobs.merge(job.priority(), 1, Integer::sum) == WORTH_A_LANE) {
                open(queue, job.priority());
            }
        }
    }

    private boolean hasLane(String queue, int priority) {
        return lanes.ofNode(queue).stream().anyMatch(lane -> lane.priority() == priority);
    }

    private void open(String queue, int priority) throws SQLException {
        if (lanes.hasRoom(queue)) {
            openAndRead(connection -> lanes.open(connection, queue, priority));
        }
    }

    /** Writes rows of lanes. */
    @FunctionalInterface
    private interface Opening {
        void open(Connection connection) throws SQLException;
    }

    private void openAndRead(Opening opening) throws SQLException {
        boolean unused = database.statement(connection -> {
            opening.open(connection);
            return true;
        });
        readLanes();
    }

    private void readLanes() throws SQLException {
        boolean unused = database.autocommit(connection -> {
            lanes.read(connection);
            return true;
        });
    }
}
