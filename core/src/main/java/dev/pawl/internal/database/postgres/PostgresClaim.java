package dev.pawl.internal.database.postgres;

import static dev.pawl.internal.database.postgres.PostgresDialect.bindArray;
import static dev.pawl.internal.database.postgres.PostgresDialect.plannedAnew;

import dev.pawl.internal.claim.ClaimOrder;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimToken;
import dev.pawl.internal.store.Grant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code skip-locked} claim in one statement.
 *
 * <p>Claimed rows leave dead entries at the start of the index until the next vacuum, and every claim would read all of them. So after a
 * full batch, the next claim begins where the last one ended. A claim begins at the start again if it finds too few jobs that way, and at
 * least once a second, so correctness does not depend on the shortcut.
 */
final class PostgresClaim implements Claim {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresClaim.class);
    private static final long SHORTCUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int FULL_BATCH = 100;

    private final Database database;
    private final Dialect dialect;
    private final NamedSql oneKind;
    private final NamedSql oneKindFrom;
    private final NamedSql kinds;
    private final NamedSql kindsFrom;
    private final NamedSql any;
    private final Map<Line, Place> places = new ConcurrentHashMap<>();

    /** The queue and kinds of a claim. */
    private record Line(String queue, List<String> kinds) {}

    /**
     * The position at which the last full batch ended.
     *
     * @param priority the priority of all its jobs
     * @param availableAt the moment of its last job
     * @param untilNanos when to begin at the start of the queue again
     */
    private record Place(int priority, Instant availableAt, long untilNanos) {}

    PostgresClaim(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        oneKind = NamedSql.of(dialect.sql(ClaimSql.ONE_KIND));
        oneKindFrom = NamedSql.of(dialect.sql(ClaimSql.ONE_KIND_FROM));
        kinds = NamedSql.of(dialect.sql(ClaimSql.KINDS));
        kindsFrom = NamedSql.of(dialect.sql(ClaimSql.KINDS_FROM));
        any = NamedSql.of(dialect.sql(ClaimSql.ANY));
    }

    /** Each statement commits on its own, so jobs that were claimed before an error are kept. */
    @Override
    public List<Grant> claim(ClaimRequest request) throws SQLException {
        List<Grant> claimed = new ArrayList<>();
        try {
            database.autocommit(connection -> {
                claim(connection, request.withLimit(request.limit() - claimed.size()), claimed);
                return claimed;
            });
        } catch (SQLException e) {
            if (claimed.isEmpty()) {
                throw e;
            }
            LOG.debug("claimed only {} of {} jobs", claimed.size(), request.limit(), e);
        }
        return ClaimOrder.sort(claimed);
    }

    private void claim(Connection connection, ClaimRequest request, List<Grant> claimed) throws SQLException {
        Line line = new Line(request.queue(), request.kinds());
        Place place = places.get(line);
        ClaimRequest rest = request;
        if (place != null && place.priority <= request.maxPriority() && System.nanoTime() - place.untilNanos < 0) {
            List<Grant> next = find(connection, request, place).claimed;
            claimed.addAll(next);
            if (next.size() == request.limit()) {
                places.put(line, new Place(place.priority, lastOf(next), place.untilNanos));
                return;
            }
            places.remove(line);
            rest = request.withLimit(request.limit() - next.size());
        }
        Found found = find(connection, rest, null);
        claimed.addAll(found.claimed);
        if (found.claimed.size() == rest.limit()) {
            remember(line, found.claimed);
        } else if (found.claimed.size() < found.seen) {
            // Other workers were faster and claimed the remaining jobs of some kind.
            ClaimRequest missing = rest.withLimit(rest.limit() - found.claimed.size());
            claimed.addAll(run(connection, any, missing, null, false).claimed);
        }
    }

    private void remember(Line line, List<Grant> full) {
        int priority = full.get(0).job().priority();
        if (full.size() >= FULL_BATCH && full.get(full.size() - 1).job().priority() == priority) {
            places.put(line, new Place(priority, lastOf(full), System.nanoTime() + SHORTCUT_NANOS));
        }
    }

    private static Instant lastOf(List<Grant> claimed) {
        return claimed.get(claimed.size() - 1).job().availableAt();
    }

    /**
     * @param claimed the jobs in the order of the claim
     * @param seen how many jobs were found, up to the limit
     */
    record Found(List<Grant> claimed, long seen) {}

    private Found find(Connection connection, ClaimRequest request, @Nullable Place from) throws SQLException {
        boolean one = request.kinds().size() == 1;
        NamedSql sql = one ? (from == null ? oneKind : oneKindFrom) : from == null ? kinds : kindsFrom;
        return run(connection, sql, request, from, !one);
    }

    private Found run(Connection connection, NamedSql sql, ClaimRequest request, @Nullable Place from, boolean counted)
            throws SQLException {
        try (PreparedStatement statement = plannedAnew(connection, sql.text())) {
            for (int i = 0; i < sql.names().size(); i++) {
                bind(statement, i + 1, sql.names().get(i), request, from);
            }
            Found found = ClaimedRows.read(statement, request, counted);
            ClaimOrder.sort(found.claimed);
            return found;
        }
    }

    private void bind(PreparedStatement statement, int index, String name, ClaimRequest request, @Nullable Place from)
            throws SQLException {
        switch (name) {
            case "queue" -> statement.setString(index, request.queue());
            case "kind" -> statement.setString(index, request.kinds().get(0));
            case "kinds" -> bindArray(statement, index, "text", request.kinds(), Function.identity());
            case "limit" -> statement.setInt(index, request.limit());
            case "worker" -> statement.setLong(index, request.workerId());
            case "drawn" -> statement.setLong(index, ClaimToken.draw());
            case "most" -> statement.setInt(index, request.maxPriority());
            case "ahead" -> statement.setBoolean(index, request.ahead());
            case "lease" -> statement.setLong(index, Micros.of(request.lease()));
            case "priority" -> statement.setInt(index, Objects.requireNonNull(from).priority);
            case "from" -> dialect.bind(statement, index, Objects.requireNonNull(from).availableAt);
            default -> throw new IllegalArgumentException("no value is called " + name);
        }
    }
}
