package dev.pawl.conformance.contract;

import dev.pawl.servers.Product;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConnection;

/**
 * A pool that counts the rows that each statement reads. On PostgreSQL the statement is executed, explained and rolled back first; sessions
 * of MySQL and MariaDB have counters. SQLite reports only executed instructions; reading an entry of an index takes at least four of them.
 */
final class CountingDataSource {
    private static final Pattern EXPLAINED =
            Pattern.compile("\\s*(?:--[^\\n]*\\n\\s*)*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\\b.*", Pattern.DOTALL);
    private static final Pattern SCAN =
            Pattern.compile("Scan(?: Backward)?(?: using \\S+)? on .*\\(actual rows=([\\d.]+) loops=(\\d+)\\).*");
    private static final Pattern REMOVED = Pattern.compile(".*Rows Removed by (?:Filter|Index Recheck): (\\d+)");
    /**
     * @param sql the statement
     * @param rows how many rows it read
     * @param plan its plan, if the rows were counted by it
     */
    record Read(String sql, long rows, List<String> plan) {}

    private final DataSource real;
    private final Product product;
    private final ExpectedStatements.Expected counted;
    private final List<Read> reads = Collections.synchronizedList(new ArrayList<>());

    CountingDataSource(Fixture fixture) {
        this.real = fixture.pool;
        this.product = fixture.product;
        this.counted = fixture.statements.expect("a statement of which rows are counted");
    }

    private void add(String sql, long rows, List<String> plan) {
        String statement = TamperedDataSource.withoutSchema(sql);
        boolean unused = counted.isMet(statement, rows > 0);
        reads.add(new Read(statement, rows, plan));
    }

    /** {@return the statements since the last call} */
    List<Read> take() {
        synchronized (reads) {
            List<Read> taken = List.copyOf(reads);
            reads.clear();
            return taken;
        }
    }

    DataSource dataSource() {
        return proxy(DataSource.class, (method, arguments) -> {
            Object answer = call(real, method, arguments);
            return answer instanceof Connection connection ? counting(connection) : answer;
        });
    }

    private Connection counting(Connection connection) {
        return proxy(Connection.class, (method, arguments) -> {
            Object answer = call(connection, method, arguments);
            return answer instanceof PreparedStatement statement
                            && EXPLAINED.matcher((String) arguments[0]).matches()
                    ? counting(connection, statement, (String) arguments[0])
                    : answer;
        });
    }

    /** Counts until the statement is closed, because SQLite reads a row only when it is fetched. */
    private PreparedStatement ofInstructions(Connection connection, PreparedStatement statement, String sql)
            throws SQLException {
        Connection own = connection.unwrap(SQLiteConnection.class);
        AtomicLong hundreds = new AtomicLong();
        ProgressHandler handler = new ProgressHandler() {
            @Override
            protected int progress() {
                hundreds.incrementAndGet();
                return 0;
            }
        };
        return proxy(PreparedStatement.class, (method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                ProgressHandler.setHandler(own, 100, handler);
            }
            Object answer = call(statement, method, arguments);
            if (method.getName().equals("close")) {
                ProgressHandler.clearHandler(own);
                add(sql, hundreds.get() * 100 / 4, List.of());
            }
            return answer;
        });
    }

    private PreparedStatement counting(Connection connection, PreparedStatement statement, String sql)
            throws SQLException {
        if (product == Product.SQLITE) {
            return ofInstructions(connection, statement, sql);
        }
        boolean counts = product == Product.MARIADB || product == Product.MYSQL;
        PreparedStatement shadow = counts
                ? null
                : connection.prepareStatement("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) " + sql);
        return proxy(PreparedStatement.class, (method, arguments) -> {
            String name = method.getName();
            if (shadow != null && name.startsWith("set") && arguments.length > 1) {
                call(shadow, method, arguments);
            } else if (shadow != null && (name.equals("addBatch") || name.matches("execute(Query|Update|)"))) {
                read(sql, plan(connection, shadow));
            } else if (shadow != null && name.equals("close")) {
                shadow.close();
            }
            if (!counts || !name.startsWith("execute")) {
                return call(statement, method, arguments);
            }
            long before = handled(connection);
            long own = handled(connection) - before;
            Object answer = call(statement, method, arguments);
            add(sql, handled(connection) - before - 2 * own, List.of());
            return answer;
        });
    }

    private static long handled(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW SESSION STATUS LIKE 'Handler_read%'")) {
            long sum = 0;
            while (rows.next()) {
                sum += rows.getLong(2);
            }
            return sum;
        }
    }

    private static List<String> plan(Connection connection, PreparedStatement shadow) throws SQLException {
        boolean autocommit = connection.getAutoCommit();
        if (autocommit) {
            connection.setAutoCommit(false);
        }
        Savepoint before = connection.setSavepoint();
        try {
            return lines(shadow);
        } catch (SQLException failing) {
            return List.of(); // the real execution fails the same way
        } finally {
            connection.rollback(before);
            connection.releaseSavepoint(before);
            if (autocommit) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    private static List<String> lines(PreparedStatement shadow) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (ResultSet rows = shadow.executeQuery()) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        return lines;
    }

    private void read(String sql, List<String> plan) {
        long rows = 0;
        double loops = 0;
        for (String line : plan) {
            Matcher scan = SCAN.matcher(line);
            Matcher removed = REMOVED.matcher(line);
            if (scan.find()) {
                loops = Double.parseDouble(scan.group(2));
                rows += (long) (Double.parseDouble(scan.group(1)) * loops);
            } else if (line.contains("->")) {
                loops = 0;
            } else if (removed.matches()) {
                rows += (long) (Double.parseDouble(removed.group(1)) * loops);
            }
        }
        add(sql, rows, plan);
    }

    private interface Handler {
        Object handle(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> handler.handle(method, arguments == null ? new Object[0] : arguments)));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
