package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

import dev.pawl.api.EnqueueResult;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job enqueued by SQL alone, as {@code pawl sql} shows it. */
record EnqueueBySql(List<Opt> options) implements Op.InTransaction, Breakable {
    @Override
    public void on(Real real, Model model, @Nullable Connection connection) throws SQLException {
        if (connection != null) {
            enqueue(real, model, connection);
            return;
        }
        try (Connection own = real.stage.pool().getConnection()) {
            enqueue(real, model, own);
        }
    }

    private void enqueue(Real real, Model model, Connection connection) throws SQLException {
        Request wanted = wanted();
        try (Statement statement = connection.createStatement()) {
            Set<Long> before = ids(statement);
            boolean unused = statement.execute(real.stage.enqueueSql(
                    wanted.kind(),
                    wanted.payload(),
                    wanted.options().queue(),
                    wanted.options().priority(),
                    wanted.options().delay().toSeconds(),
                    wanted.options().maxAttempts()));
            Set<Long> added = ids(statement);
            added.removeAll(before);
            same("jobs enqueued by SQL", 1, added.size());
            model.enqueue(wanted, new EnqueueResult.Inserted(added.iterator().next()));
        }
    }

    private Request wanted() {
        return Request.of(options, 0, each -> each, 0).orElseThrow();
    }

    @Override
    public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
        return real.listed().keySet().stream()
                .filter(id -> before.job(id) == null)
                .<Effect>map(id -> model -> model.enqueue(wanted(), new EnqueueResult.Inserted(id)))
                .toList();
    }

    private static Set<Long> ids(Statement statement) throws SQLException {
        Set<Long> ids = new HashSet<>();
        try (ResultSet rows = statement.executeQuery("SELECT id FROM pawl_job")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    @Override
    public String toString() {
        return Op.call("enqueueBySql", options.toArray());
    }
}
