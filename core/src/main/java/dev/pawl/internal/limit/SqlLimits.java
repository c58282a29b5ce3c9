package dev.pawl.internal.limit;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.SqlWork;
import dev.pawl.internal.rate.Bucket;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.Allocation.Permits;
import dev.pawl.internal.store.Allocation.Starts;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Limits whose state is in rows. Each change of a limit or a share locks the row of the limit first. Thread-safe. */
public final class SqlLimits implements LimitSource {
    private final Database database;
    private final LimitRows rows;

    /**
     * @param database the pool and the dialect
     */
    public SqlLimits(Database database) {
        this.database = database;
        this.rows = new LimitRows(database.dialect());
    }

    @Override
    public Allocation allocate(long workerId, Request request, long latest) throws SQLException {
        return database.transaction(connection -> {
            LimitRow limit = rows.lock(connection, request.subject());
            return limit == null ? Allocation.UNLIMITED : allocate(connection, limit, workerId, request, latest);
        });
    }

    /** Allocates permits and starts; expiry follows the database's clock alone. */
    public Allocation allocate(long workerId, Request request) throws SQLException {
        return allocate(workerId, request, Long.MAX_VALUE);
    }

    private Allocation allocate(Connection connection, LimitRow limit, long workerId, Request request, long latest)
            throws SQLException {
        Integer permits = limit.permits();
        return new Allocation(
                true,
                permits == null ? null : permits(connection, limit, permits, workerId, request, latest),
                limit.limit().rate() == null
                        ? null
                        : starts(connection, limit, limit.limit().rate(), request),
                micros(limit.isHeld() ? limit.pausedUntil() - limit.now() : 0),
                limit.isUnproven());
    }

    private Permits permits(
            Connection connection, LimitRow limit, int permits, long workerId, Request request, long latest)
            throws SQLException {
        long now = Math.min(limit.now(), latest);
        Shares.Share mine = null;
        List<Shares.Share> others = new ArrayList<>();
        for (Shares.Share share : rows.shares(connection, request.subject())) {
            Shares.Share real = share.expiresAt() > now ? share : asItsLeases(connection, request.subject(), share);
            if (share.workerId() == workerId) {
                mine = real;
            } else if (real != null) {
                others.add(real);
            }
        }
        Shares shares = Shares.of(permits, others, now);
        int granted = shares.allocate(mine == null ? 0 : mine.permits(), request.share(), request.wantsMore());
        long expires = limit.now() + SHARE.toNanos() / 1000;
        Shares.Share next =
                new Shares.Share(workerId, granted, request.wantsMore() ? request.share() - granted : 0, expires);
        if (mine == null) {
            rows.insert(connection, request.subject(), next);
        } else {
            rows.update(connection, request.subject(), next);
        }
        return new Permits(granted, shares.fair(granted), shares.wanted());
    }

    /**
     * Reduces an expired share to the number of leases that its worker still holds, because their jobs may still run. Null if the worker
     * holds none.
     */
    private Shares.@Nullable Share asItsLeases(Connection connection, Subject subject, Shares.Share share)
            throws SQLException {
        int held = Math.min(share.permits(), rows.leases(connection, subject, share.workerId()));
        if (held == 0) {
            rows.delete(connection, subject, share.workerId());
            return null;
        }
        Shares.Share rest = new Shares.Share(share.workerId(), held, 0, share.expiresAt());
        if (held < share.permits()) {
            rows.update(connection, subject, rest);
        }
        return rest;
    }

    private Starts starts(Connection connection, LimitRow limit, Rate rate, Request request) throws SQLException {
        Bucket before = Bucket.of(limit.nextStart(), limit.costBacklog());
        Bucket.Allocated starts = before.allocate(
                rate, limit.now(), limit.isHeld() ? 0 : request.starts(), request.largest(), request.goodFor());
        if (!Objects.equals(before.costly(), starts.after().costly())) {
            rows.costBacklog(connection, request.subject(), starts.after().costly());
        }
        if (starts.starts().now() > 0) {
            rows.nextStart(connection, limit.limit().subject(), starts.after().nextStart());
        }
        return starts.starts();
    }

    @Override
    public void release(long workerId) throws SQLException {
        database.transaction(connection -> {
            rows.end(connection, workerId);
            return true;
        });
    }

    @Override
    public void unavailable(Subject subject, Duration wait, String reason) throws SQLException {
        boolean unused = changed(subject, (connection, limit) -> {
            if (!limit.isHeld()) {
                long until = limit.now() + wait.toNanos() / 1000;
                rows.pause(connection, subject, until, limit.failures() + 1, reason);
            }
        });
    }

    @Override
    public void available(Subject subject) throws SQLException {
        database.transaction(connection -> {
            LimitRow limit = rows.lock(connection, subject);
            if (limit != null && limit.isUnproven() && !limit.isHeld()) {
                resume(connection, limit);
            }
            return true;
        });
    }

    private void resume(Connection connection, LimitRow limit) throws SQLException {
        if (limit.limit().says()) {
            rows.resume(connection, limit.limit().subject());
        } else {
            rows.delete(connection, limit.limit().subject());
        }
    }

    /**
     * Sets or changes a limit.
     *
     * @param limit with at least one setting
     * @throws SQLException from the driver
     */
    public void set(Limit limit) throws SQLException {
        boolean unused = changed(limit.subject(), (connection, before) -> {
            rows.set(connection, limit);
            Rate rate = limit.rate();
            if (rate != null) { // a former, slower rate may have set the next start far away
                long soon = before.now() + Bucket.furthest(rate, false);
                rows.nextStart(connection, limit.subject(), Math.min(before.nextStart(), soon));
            }
        });
    }

    /** {@return false if there was no limit} */
    public boolean remove(Subject subject) throws SQLException {
        return database.transaction(connection -> {
            LimitRow limit = rows.lock(connection, subject);
            if (limit == null) {
                return false;
            }
            if (limit.isUnproven()) {
                rows.set(connection, Limit.of(subject));
            } else {
                rows.delete(connection, subject);
            }
            return limit.limit().says();
        });
    }

    /**
     * Pauses jobs on request.
     *
     * @param subject to pause
     * @param length of the pause
     * @param reason to display
     * @throws SQLException from the driver
     */
    public void pause(Subject subject, Duration length, String reason) throws SQLException {
        boolean unused = changed(
                subject,
                (connection, limit) ->
                        rows.pause(connection, subject, limit.now() + length.toNanos() / 1000, 0, reason));
    }

    /** {@return false if the jobs were not paused} */
    public boolean resume(Subject subject) throws SQLException {
        return database.transaction(connection -> {
            LimitRow limit = rows.lock(connection, subject);
            if (limit == null || !limit.isUnproven()) {
                return false;
            }
            resume(connection, limit);
            return true;
        });
    }

    /** {@return all limits and pauses, queues first, by name; without rows that were created but not yet changed} */
    public List<LimitInfo> list() throws SQLException {
        return database.autocommit(rows::all).stream()
                .filter(line -> line.limit().limit().says() || line.limit().isUnproven())
                .map(SqlLimits::info)
                .toList();
    }

    private static LimitInfo info(LimitRows.Line line) {
        LimitRow row = line.limit();
        boolean waits = row.limit().rate() != null && line.nextStart() > row.now();
        return new LimitInfo(
                row.limit(),
                line.shared(),
                line.workers(),
                line.waiting(),
                waits ? LimitRow.moment(line.nextStart()) : null,
                row.pause());
    }

    /** Changes a locked row. */
    @FunctionalInterface
    private interface Change {
        void apply(Connection connection, LimitRow limit) throws SQLException;
    }

    /**
     * Changes a limit, whose row it creates if necessary. If the row is deleted between its creation and the change, it
     * is created again.
     */
    private boolean changed(Subject subject, Change change) throws SQLException {
        SqlWork<Boolean> work = connection -> {
            LimitRow limit = rows.lock(connection, subject);
            if (limit != null) {
                change.apply(connection, limit);
            }
            return limit != null;
        };
        while (!database.transaction(work)) {
            boolean unused = database.statement(connection -> {
                rows.create(connection, subject);
                return true;
            });
        }
        return true;
    }

    private static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }
}
