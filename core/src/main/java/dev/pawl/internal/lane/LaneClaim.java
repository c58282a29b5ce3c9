package dev.pawl.internal.lane;

import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.ClaimTurn;
import dev.pawl.internal.jdbc.ContendedPlaces;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.jdbc.Retry;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.ClaimToken;
import dev.pawl.internal.store.Grant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Claims the next jobs of a lane. A claim reads the jobs together with the end of the last range, and then writes a range that begins
 * there. Of several claims that read the same end, the primary key lets one write its range, and the other claims read again. The write
 * also tests that the end is unchanged, because the range that won may have been pruned before a stalled claim continues. Guard {@code
 * ClaimKey} of the model {@code lanes.als}: the end is read in the statement that reads the jobs, and never later.
 */
final class LaneClaim implements ClaimSplit.Waiting {
    /** After this number of lost races a worker leaves the lane to other workers until its next poll. */
    private static final int TRIES = 6;

    /**
     * A commit on a cluster takes at most about this long. While a job is younger than this, a job with a smaller id may still appear. The
     * clocks of nodes differ by less than this. If a job was created further in the future, the clock of its node is wrong, and the age of
     * the job is unknown.
     */
    private static final long COMMIT_MICROS = 50_000;

    /** When jobs have waited this long, workers of other nodes take them over. */
    private static final long LONG_WAIT_MICROS = 250_000;

    /**
     * A worker with jobs of its own node takes over jobs of another node only if they have waited this much longer than its own jobs. This
     * does not apply if the other node has no workers.
     */
    private static final long UNFAIR_MICROS = 2_000_000;

    /** The delay before a range is first checked for jobs that were committed late. */
    static final long FIRST_RECOUNT_MICROS = 1_000_000;

    private static final LaneHeadRead NOTHING = new LaneHeadRead(0, 0, List.of());

    private final Database database;
    private final Dialect dialect;
    private final LaneDatabase product;
    private final @Nullable OneStatementClaim own;
    private final KnownEnds ends;
    private final @Nullable ClaimTurn turn;
    private final ContendedPlaces contended = new ContendedPlaces();
    private final Lanes lanes;
    private final NodeSlots slots;
    private final LongAdder lost = new LongAdder();
    private final String read;
    private final String insert;
    private final Sql ownRow;

    /**
     * @param database the pool and the dialect
     * @param lanes of the database
     * @param own the database's faster way to claim; null for the common way
     */
    LaneClaim(Database database, Lanes lanes, @Nullable OneStatementClaim own) {
        this.database = database;
        this.lanes = lanes;
        this.own = own;
        this.dialect = database.dialect();
        this.product = LaneDatabase.of(dialect);
        this.turn = product.turn(dialect);
        this.ends = new KnownEnds(dialect);
        this.slots = new NodeSlots(dialect, lanes);
        read = dialect.sql("SELECT id, " + dialect.micros("created_at") + ", " + dialect.micros(dialect.now())
                + ", max_attempts, " + LaneLog.END + ", kind, payload, "
                + LaneHeadRead.Rare.columns(dialect) + ", tags, headers, "
                + "(" + LaneHeadRead.Rare.PRESENT + " OR tags IS NOT NULL OR headers IS NOT NULL) FROM "
                + dialect.alongIds("pawl_lane_job")
                + " WHERE "
                + product.after(LaneLog.END) + (dialect.mayCommitLate() ? " AND id > ?" : "")
                + " AND " + QueuePause.isOpen("?")
                + " ORDER BY lane, id LIMIT " + product.limit());
        insert = dialect.sql("""
                INSERT INTO pawl_lane_range
                    (lane, starts_after, last_id, jobs, id_gaps, leased_by, token, ahead, claimed_at, lease_expires_at, recount_at,
                     node)
                SELECT ?, ?, ?, ?, ?, ?, ?, ?, %s, %s, %s, %s
                  FROM (SELECT %s AS end_id) present WHERE present.end_id = ?
                """.formatted(
                dialect.moment(),
                dialect.moment(),
                dialect.nowPlusMicros(),
                product.mayHaveNodes() ? "CASE WHEN ? = 0 THEN 0 ELSE " + product.node() + " END" : product.node(),
                LaneLog.END));
        ownRow = dialect.statement(
                "SELECT 1 FROM pawl_lane_range WHERE lane = ? AND starts_after = ? AND leased_by = ? AND token = ?");
    }

    /**
     * A range that this claim has won.
     *
     * @param range now held
     * @param grants the jobs of the range that the worker can handle
     * @param foreign positions of the jobs that the worker cannot handle
     */
    record Won(HeldRange range, List<Grant> grants, List<Integer> foreign) {}

    /** {@return how many races were lost to other workers} */
    long lost() {
        return lost.sum();
    }

    /** {@return the claimed range; null if there is nothing to claim, or other workers were faster each time} */
    @Nullable
    Won claim(Lane lane, ClaimRequest request) throws SQLException {
        long begun = System.nanoTime();
        long most = TimeUnit.SECONDS.toNanos(
                // for all tries together, because leases of jobs claimed before may expire during the wait
                longestWait(request));
        for (int tries = 1; tries <= TRIES && (tries == 1 || System.nanoTime() - begun < most); tries++) {
            LaneHeadRead head = tryOnce(lane, request);
            if (head.entries().isEmpty()) {
                return null;
            }
            if (head.isWon()) {
                return won(lane, head, request);
            }
            lost(lane);
            if (!lanes.isOfNode(lane)) {
                return null;
            }
            Retry.RACE.pause(tries, "to claim");
        }
        return null;
    }

    private void lost(Lane lane) {
        lost.increment();
        contended.add(place(lane));
    }

    private static int longestWait(ClaimRequest request) {
        return Math.max(1, ClaimTurn.seconds(request.lease()));
    }

    @Override
    public boolean forIdleWorker(Lane lane) throws SQLException {
        return database.autocommit(connection -> {
            LaneHeadRead head = read(connection, lane, 1);
            return !head.entries().isEmpty()
                    && (waitMicros(head) >= LONG_WAIT_MICROS || slots.isTakenOver(connection, lane));
        });
    }

    @Override
    public boolean forABusyOne(Lane lane, long ownMicros) throws SQLException {
        return database.autocommit(connection -> {
            LaneHeadRead head = read(connection, lane, 1);
            return !head.entries().isEmpty()
                    && waitMicros(head)
                            >= (slots.hasWorkers(connection, lane) ? ownMicros + UNFAIR_MICROS : LONG_WAIT_MICROS);
        });
    }

    /** {@return how many microseconds the first job has waited; {@link #LONG_WAIT_MICROS} if the clock of its node is wrong} */
    private static long waitMicros(LaneHeadRead head) {
        long micros = head.now() - head.entries().get(0).createdAt();
        return micros < -COMMIT_MICROS ? LONG_WAIT_MICROS : micros;
    }

    boolean canAppend() {
        return own != null;
    }

    /**
     * Writes a job and its range in one statement.
     *
     * @return the job, and the range if the job was claimed; null if nothing was written
     */
    @Nullable
    Appended append(Lane lane, JobRequest job, ClaimRequest request, ClaimStrategy.BeforeEnqueue before)
            throws SQLException {
        OneStatementClaim both = own;
        if (both == null) {
            return null;
        }
        LaneHeadRead head = database.statement(connection -> {
            before.run(connection);
            return both.append(connection, lane, job, request);
        });
        return head.entries().isEmpty()
                ? null
                : new Appended(head.entries().get(0).id(), head.isWon() ? won(lane, head, request) : null);
    }

    /**
     * A job that was written.
     *
     * @param id of the job
     * @param won its range; null if it was not claimed
     */
    record Appended(long id, @Nullable Won won) {}

    private static String place(Lane lane) {
        return Integer.toString(lane.id());
    }

    private LaneHeadRead tryOnce(Lane lane, ClaimRequest request) throws SQLException {
        if (own != null) { // if the reply is lost, the range is not known here, and is rescued when its lease expires
            return own(own, lane, request);
        }
        Try once = new Try(lane, request);
        return slots.areInUse() || (turn != null && contended.takeTurns(place(lane)))
                ? once.onOneConnection()
                : once.readAndInsert();
    }

    /**
     * Claims in turn with other workers if the lane is contended. A claim is correct without a turn, so it races with other claims if it
     * gets no turn in time.
     */
    private LaneHeadRead own(OneStatementClaim claim, Lane lane, ClaimRequest request) throws SQLException {
        if (contended.takeTurns(place(lane))) {
            try {
                return database.statementOnce(connection -> claim.claim(connection, lane, request, true));
            } catch (SQLException e) {
                if (Fault.of(e).isOutage()) {
                    throw e;
                }
                contended.noTurn(place(lane));
            }
        }
        return database.statement(connection -> claim.claim(connection, lane, request, false));
    }

    /** Reads the next jobs and writes their range, in two statements that commit on their own. */
    private final class Try {
        private final Lane lane;
        private final ClaimRequest request;
        private final long token = ClaimToken.draw();
        private LaneHeadRead head = NOTHING;
        /** Whether a range was sent to the server. */
        private boolean sent;
        /** Whether the server has answered that the range is written. */
        private boolean written;
        /** Whether this claim takes turns with other claims, so that a conflict means that another claim was faster. */
        private boolean inTurn;

        Try(Lane lane, ClaimRequest request) {
            this.lane = lane;
            this.request = request;
        }

        LaneHeadRead readAndInsert() throws SQLException {
            head = database.autocommit(connection -> read(connection, lane, request.limit()));
            // The statement commits itself, because a worker that stalls before a separate commit would hold the key
            // and block the lane.
            return head.entries().isEmpty() ? head : result(() -> database.statement(this::insert));
        }

        /** Takes turns with other claims, if there are any. Uses one connection, because the pool may have no other. */
        LaneHeadRead onOneConnection() throws SQLException {
            inTurn = true;
            return result(() -> database.statementOnce(connection -> {
                boolean shared = slots.isShared(connection, lane);
                ClaimTurn.Answer answer =
                        shared || contended.takeTurns(place(lane)) ? await(connection) : ClaimTurn.Answer.NONE;
                if (answer == ClaimTurn.Answer.BUSY) {
                    return false; // other workers are claiming, and a race would slow them down
                }
                try {
                    if (shared) {
                        slots.await(connection, lane);
                    }
                    head = read(connection, lane, request.limit());
                    written = !head.entries().isEmpty() && insert(connection);
                    return written;
                } finally {
                    if (turn != null && answer == ClaimTurn.Answer.OURS) {
                        turn.end(connection, place(lane));
                    }
                }
            }));
        }

        private ClaimTurn.Answer await(Connection connection) throws SQLException {
            if (turn == null) {
                return ClaimTurn.Answer.NONE;
            }
            ClaimTurn.Answer answer = turn.await(connection, place(lane), longestWait(request));
            if (answer == ClaimTurn.Answer.NONE) {
                contended.noTurn(place(lane));
            }
            return answer;
        }

        private boolean insert(Connection connection) throws SQLException {
            if (dialect.mayCommitLate()) {
                dialect.begin(connection); // at its default isolation level, InnoDB would lock the rows that are read
            }
            sent = true;
            return LaneClaim.this.insert(connection, key(), token, head.ids(), moment(head.now()), request);
        }

        private RangeKey key() {
            return new RangeKey(lane.id(), head.after());
        }

        /**
         * If the reply is lost, or the statement that ends the turn fails, the table shows whether the range was written. A conflict after
         * the range was sent means that another claim was faster. After an earlier conflict, such as when a node is too far behind for a
         * causal read, nothing is claimed.
         */
        private LaneHeadRead result(Inserting inserting) throws SQLException {
            boolean won;
            try {
                won = inserting.run();
            } catch (SQLException e) {
                Fault fault = Fault.of(e);
                if (inTurn && !sent && fault.isContention()) {
                    return NOTHING;
                }
                boolean beaten = fault == Fault.UNIQUE || (inTurn && sent && fault.isContention());
                won = sent && (!beaten || written) && isMine(key(), token, request, e);
                if (!won && !beaten) {
                    throw e;
                }
            }
            if (won) {
                ends.note(
                        lane.id(), head.entries().get(head.entries().size() - 1).id());
            }
            return new LaneHeadRead(head.after(), head.now(), head.entries(), won, token);
        }
    }

    /** Writes a range, or fails. */
    @FunctionalInterface
    private interface Inserting {
        boolean run() throws SQLException;
    }

    private LaneHeadRead read(Connection connection, Lane lane, int limit) throws SQLException {
        long atLeast = dialect.mayCommitLate() ? ends.end(connection, lane.id()) : 0;
        try (PreparedStatement statement = dialect.planned(connection, read)) {
            statement.setInt(1, lane.id());
            int index = product.bindAfter(statement, 2, lane.id(), (at, query) -> query.setInt(at, lane.id()));
            if (dialect.mayCommitLate()) {
                statement.setLong(index++, atLeast);
            }
            statement.setString(index++, lane.queue());
            statement.setInt(index, limit);
            List<LaneHeadRead.Entry> entries = new ArrayList<>(limit);
            long after = 0;
            long now = 0;
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (entries.isEmpty()) { // the same in all rows
                        now = rows.getLong(3);
                        after = rows.getLong(5);
                    }
                    // few jobs have these values, and reading a null takes time, too
                    boolean more = rows.getBoolean(13);
                    entries.add(new LaneHeadRead.Entry(
                            rows.getLong(1),
                            rows.getLong(2),
                            rows.getInt(4),
                            rows.getString(6),
                            more ? rows.getString(11) : null,
                            more ? rows.getString(12) : null,
                            rows.getString(7),
                            more ? LaneHeadRead.Rare.read(rows, 8) : LaneHeadRead.Rare.NONE));
                }
            }
            if (!entries.isEmpty()) {
                ends.note(lane.id(), after);
            }
            return new LaneHeadRead(after, now, slots.areInUse() ? behindNoGap(after, now, entries) : entries);
        }
    }

    /**
     * {@return the jobs before the first young job that follows a missing id; ages are exact to some tens of milliseconds, because nodes
     * have different clocks} On a cluster a commit takes milliseconds, so the missing job may still appear. If a later job were claimed
     * first, the missing job would be found only after a second.
     */
    private List<LaneHeadRead.Entry> behindNoGap(long after, long now, List<LaneHeadRead.Entry> entries) {
        long before = after;
        for (int i = 0; i < entries.size(); i++) {
            LaneHeadRead.Entry entry = entries.get(i);
            if (entry.id() - before > lanes.idStep() && Math.abs(now - entry.createdAt()) < COMMIT_MICROS) {
                return entries.subList(0, i);
            }
            before = entry.id();
        }
        return entries;
    }

    private boolean isMine(RangeKey key, long token, ClaimRequest request, SQLException failure) {
        try {
            return Retry.TRANSIENT.call(
                    () -> database.autocommit(connection -> isMine(connection, key, token, request)));
        } catch (SQLException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    private boolean insert(
            Connection connection, RangeKey key, long token, IdSet ids, Instant now, ClaimRequest request)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setInt(1, key.lane());
            statement.setLong(2, key.after());
            statement.setLong(3, ids.last());
            statement.setInt(4, ids.size());
            statement.setString(5, ids.steps(key.after()));
            statement.setLong(6, request.workerId());
            statement.setLong(7, token);
            statement.setBoolean(8, request.ahead());
            dialect.bind(statement, 9, now);
            dialect.bind(statement, 10, now.plus(request.lease()));
            if (ids.fills(key.after()) || !dialect.mayCommitLate()) {
                statement.setNull(11, Types.BIGINT);
            } else {
                statement.setLong(11, FIRST_RECOUNT_MICROS);
            }
            int index = 12;
            if (product.mayHaveNodes()) {
                statement.setInt(index++, lanes.node());
            }
            statement.setInt(index++, key.lane());
            statement.setLong(index, key.after());
            return statement.executeUpdate() == 1;
        }
    }

    private boolean isMine(Connection connection, RangeKey key, long token, ClaimRequest request) throws SQLException {
        return ownRow.on(connection, key.lane(), key.after(), request.workerId(), token)
                .exists();
    }

    /** Lets jobs share equal strings and times, because claims must be fast. */
    private static Won won(Lane lane, LaneHeadRead head, ClaimRequest request) {
        IdSet ids = head.ids();
        RangeKey key = new RangeKey(lane.id(), head.after());
        List<String> kinds = new ArrayList<>(ids.size());
        HeldRange range = new HeldRange(key, request.workerId(), head.token(), ids, kinds, request.lease());
        Map<String, String> known = new HashMap<>();
        request.kinds().forEach(kind -> known.put(kind, kind));
        List<Grant> grants = new ArrayList<>(ids.size());
        List<Integer> foreign = new ArrayList<>();
        Long worker = request.workerId();
        Instant startedAt = moment(head.now());
        Instant expiresAt = startedAt.plus(request.lease());
        long createdMicros = 0;
        Instant createdAt = Instant.EPOCH;
        String kindText = "";
        String kind = null;
        for (LaneHeadRead.Entry entry : head.entries()) {
            if (!entry.kind().equals(kindText)) { // most jobs have the kind of the previous one
                kindText = entry.kind();
                kind = known.get(kindText);
            }
            if (kind == null) {
                foreign.add(kinds.size());
                kinds.add(entry.kind());
                continue;
            }
            kinds.add(kind);
            if (entry.createdAt() != createdMicros) {
                createdMicros = entry.createdAt();
                createdAt = moment(createdMicros);
            }
            Job job = Job.builder(entry.id(), kind, lane.queue())
                    .state(JobState.RUNNING)
                    .priority(lane.priority())
                    .attempt(1)
                    .maxAttempts(entry.maxAttempts())
                    .createdAt(createdAt)
                    .availableAt(createdAt)
                    .startedAt(startedAt)
                    .leasedBy(worker)
                    .leaseExpiresAt(expiresAt)
                    .leaseToken(head.token())
                    .tags(JobRows.tags(entry.tags()))
                    .headers(JobRows.headers(entry.headers()))
                    .payload(entry.payload())
                    .batch(entry.rare().batch())
                    .cost(entry.rare().cost())
                    .expiresAt(entry.rare().expiresAt())
                    .build();
            grants.add(new Grant(job, range.lease(entry.id())));
        }
        return new Won(range, grants, foreign);
    }

    private static Instant moment(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
